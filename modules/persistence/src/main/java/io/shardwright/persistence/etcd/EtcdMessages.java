package io.shardwright.persistence.etcd;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.UnsafeByteOperations;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.ResponseOp;
import io.etcd.jetcd.api.TxnRequest;
import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.KeyRange;
import io.shardwright.persistence.KeyValue;
import io.shardwright.persistence.RangeRequest;
import io.shardwright.persistence.RangeResponse;
import io.shardwright.persistence.Txn;
import io.shardwright.persistence.Txn.Compare;
import io.shardwright.persistence.Txn.Op;
import io.shardwright.persistence.TxnResponse;
import io.shardwright.persistence.TxnResponse.OpResult;
import io.shardwright.persistence.WatchBatch.Event;
import java.util.List;

/** Translates between the Store port and etcd's messages. */
final class EtcdMessages {

    /** {@code Compare.CompareTarget.LEASE} of etcd's API; jetcd's copy of the API does not have it. */
    private static final int LEASE_TARGET = 4;

    /** {@code Compare.lease} of etcd's API; missing in jetcd's copy too. */
    private static final int LEASE_FIELD = 8;

    private EtcdMessages() {}

    static ByteString toEtcd(Bytes bytes) {
        // The array is a copy that nobody else sees.
        return UnsafeByteOperations.unsafeWrap(bytes.toByteArray());
    }

    static Bytes fromEtcd(ByteString bytes) {
        return Bytes.of(bytes.toByteArray());
    }

    static io.etcd.jetcd.api.RangeRequest toEtcd(RangeRequest request) {
        return io.etcd.jetcd.api.RangeRequest.newBuilder()
                .setKey(toEtcd(request.range().start()))
                .setRangeEnd(toEtcd(request.range().end()))
                .setRevision(request.revision())
                .setLimit(request.limit())
                .setKeysOnly(request.keysOnly())
                .build();
    }

    static RangeResponse fromEtcd(io.etcd.jetcd.api.RangeResponse response) {
        return new RangeResponse(
                response.getHeader().getRevision(),
                response.getKvsList().stream().map(EtcdMessages::fromEtcd).toList(),
                response.getMore(),
                response.getCount());
    }

    static KeyValue fromEtcd(io.etcd.jetcd.api.KeyValue kv) {
        return new KeyValue(
                fromEtcd(kv.getKey()),
                fromEtcd(kv.getValue()),
                kv.getCreateRevision(),
                kv.getModRevision(),
                kv.getVersion(),
                kv.getLease());
    }

    static Event fromEtcd(io.etcd.jetcd.api.Event event) {
        io.etcd.jetcd.api.KeyValue kv = event.getKv();
        return event.getType() == io.etcd.jetcd.api.Event.EventType.DELETE
                ? new Event.Delete(fromEtcd(kv.getKey()), kv.getModRevision())
                : new Event.Put(fromEtcd(kv));
    }

    static TxnRequest toEtcd(Txn txn) {
        return TxnRequest.newBuilder()
                .addAllCompare(txn.compares().stream().map(EtcdMessages::toEtcd).toList())
                .addAllSuccess(ops(txn.success()))
                .addAllFailure(ops(txn.failure()))
                .build();
    }

    private static io.etcd.jetcd.api.Compare toEtcd(Compare compare) {
        io.etcd.jetcd.api.Compare.Builder builder = io.etcd.jetcd.api.Compare.newBuilder()
                .setKey(toEtcd(compare.key()))
                .setResult(
                        switch (compare.relation()) {
                            case EQUAL -> io.etcd.jetcd.api.Compare.CompareResult.EQUAL;
                            case NOT_EQUAL -> io.etcd.jetcd.api.Compare.CompareResult.NOT_EQUAL;
                            case LESS -> io.etcd.jetcd.api.Compare.CompareResult.LESS;
                            case GREATER -> io.etcd.jetcd.api.Compare.CompareResult.GREATER;
                        });
        switch (compare.target()) {
            case VERSION ->
                builder.setTarget(io.etcd.jetcd.api.Compare.CompareTarget.VERSION)
                        .setVersion(compare.number());
            case CREATE_REVISION ->
                builder.setTarget(io.etcd.jetcd.api.Compare.CompareTarget.CREATE)
                        .setCreateRevision(compare.number());
            case MOD_REVISION ->
                builder.setTarget(io.etcd.jetcd.api.Compare.CompareTarget.MOD).setModRevision(compare.number());
            case LEASE ->
                builder.setTargetValue(LEASE_TARGET)
                        .setUnknownFields(UnknownFieldSet.newBuilder()
                                .addField(
                                        LEASE_FIELD,
                                        UnknownFieldSet.Field.newBuilder()
                                                .addVarint(compare.number())
                                                .build())
                                .build());
            case VALUE ->
                builder.setTarget(io.etcd.jetcd.api.Compare.CompareTarget.VALUE).setValue(toEtcd(compare.value()));
        }
        return builder.build();
    }

    private static List<RequestOp> ops(List<Op> ops) {
        return ops.stream().map(EtcdMessages::toEtcd).toList();
    }

    private static RequestOp toEtcd(Op op) {
        return switch (op) {
            case Op.Put put ->
                RequestOp.newBuilder()
                        .setRequestPut(PutRequest.newBuilder()
                                .setKey(toEtcd(put.key()))
                                .setValue(toEtcd(put.value()))
                                .setLease(put.leaseId()))
                        .build();
            case Op.Delete(KeyRange range) ->
                RequestOp.newBuilder()
                        .setRequestDeleteRange(DeleteRangeRequest.newBuilder()
                                .setKey(toEtcd(range.start()))
                                .setRangeEnd(toEtcd(range.end())))
                        .build();
            case Op.Range read ->
                RequestOp.newBuilder().setRequestRange(toEtcd(read.request())).build();
        };
    }

    static TxnResponse fromEtcd(io.etcd.jetcd.api.TxnResponse response) {
        return new TxnResponse(
                response.getSucceeded(),
                response.getHeader().getRevision(),
                response.getResponsesList().stream().map(EtcdMessages::fromEtcd).toList());
    }

    private static OpResult fromEtcd(ResponseOp response) {
        return switch (response.getResponseCase()) {
            case RESPONSE_RANGE -> new OpResult.Ranged(fromEtcd(response.getResponseRange()));
            case RESPONSE_PUT -> new OpResult.Put();
            case RESPONSE_DELETE_RANGE ->
                new OpResult.Deleted(response.getResponseDeleteRange().getDeleted());
            case RESPONSE_TXN, RESPONSE_NOT_SET ->
                throw new IllegalArgumentException(
                        "etcd answered " + response.getResponseCase() + " to an operation that was not asked for");
        };
    }
}
