package io.shardwright.sim.cluster;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.ResponseOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Where the applications write: an etcd of their own, as far as {@code io.shardwright.client.fence.EtcdFence} needs
 * one. It knows nothing of fences; what it took is what the invariants judge.
 */
final class FencedStorage {

    private static final String DATA = "/data/";

    private final Simulation sim;
    private final TreeMap<String, KeyValue> entries = new TreeMap<>();
    private long revision = 1;

    FencedStorage(Simulation sim) {
        this.sim = sim;
    }

    /** Returns the key of what the application writes for a shard. */
    static String data(String shard) {
        return DATA + shard;
    }

    /** Returns what it writes: which owner of the shard it is. */
    static String value(long epoch, String owner) {
        return epoch + " " + owner;
    }

    RangeResponse get(RangeRequest request) {
        RangeResponse.Builder response = RangeResponse.newBuilder();
        find(request.getKey()).ifPresent(response::addKvs);
        return response.setCount(response.getKvsCount()).build();
    }

    TxnResponse txn(TxnRequest request) {
        boolean holds = request.getCompareList().stream().allMatch(this::holds);
        TxnResponse.Builder response = TxnResponse.newBuilder().setSucceeded(holds);
        for (RequestOp op : holds ? request.getSuccessList() : request.getFailureList()) {
            put(op.getRequestPut());
            response.addResponses(ResponseOp.getDefaultInstance());
        }
        return response.build();
    }

    private Optional<KeyValue> find(ByteString key) {
        return Optional.ofNullable(entries.get(key.toString(StandardCharsets.UTF_8)));
    }

    private boolean holds(Compare compare) {
        Optional<KeyValue> entry = find(compare.getKey());
        if (compare.getResult() != Compare.CompareResult.EQUAL) {
            throw new IllegalStateException("a fence compares otherwise than expected: " + compare);
        }
        return switch (compare.getTarget()) {
            case VALUE ->
                entry.map(KeyValue::getValue).filter(compare.getValue()::equals).isPresent();
            case MOD -> entry.map(KeyValue::getModRevision).orElse(0L) == compare.getModRevision();
            default -> throw new IllegalStateException("a fence compares something else than expected: " + compare);
        };
    }

    private void put(PutRequest put) {
        revision++;
        String key = put.getKey().toString(StandardCharsets.UTF_8);
        entries.put(
                key,
                KeyValue.newBuilder()
                        .setKey(put.getKey())
                        .setValue(put.getValue())
                        .setModRevision(revision)
                        .build());
        if (key.startsWith(DATA)) {
            String value = put.getValue().toString(StandardCharsets.UTF_8);
            int blank = value.indexOf(' ');
            sim.accepted(
                    key.substring(DATA.length()),
                    Long.parseLong(value.substring(0, blank)),
                    value.substring(blank + 1));
        }
    }
}
