package io.shardwright.sim.cluster;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.Txn;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.kv.CompactResponse;
import io.etcd.jetcd.kv.DeleteResponse;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.kv.PutResponse;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.TxnImpl;
import io.etcd.jetcd.options.CompactOption;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import io.etcd.jetcd.options.TxnOption;
import io.shardwright.sim.kernel.SimProcess;
import io.shardwright.sim.network.Network;
import io.shardwright.sim.network.Order;
import io.shardwright.sim.plan.Shape;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The connection of one application to its storage, over the simulated network. An answer may never come. */
final class StorageClient implements KV {

    private final Network network;
    private final FencedStorage storage;
    private final SimProcess process;
    private final Order out = new Order();
    private final Order back = new Order();

    StorageClient(Network network, FencedStorage storage, SimProcess process) {
        this.network = network;
        this.storage = storage;
        this.process = process;
    }

    private <T> CompletableFuture<T> ask(Supplier<T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        network.send(process.name(), Shape.STORAGE, out, () -> {
            T found = question.get();
            network.send(Shape.STORAGE, process.name(), back, () -> process.execute(() -> answer.complete(found)));
        });
        return answer;
    }

    @Override
    public CompletableFuture<GetResponse> get(ByteSequence key) {
        RangeRequest request = RangeRequest.newBuilder()
                .setKey(ByteString.copyFrom(key.getBytes()))
                .build();
        return ask(() -> new GetResponse(storage.get(request), ByteSequence.EMPTY));
    }

    @Override
    public Txn txn() {
        return TxnImpl.newTxn(
                request -> ask(() -> new TxnResponse(storage.txn(request), ByteSequence.EMPTY)), ByteSequence.EMPTY);
    }

    @Override
    public void close() {}

    // ------------------------------------------------------------------ what a fence does not need

    private static UnsupportedOperationException unexpected() {
        return new UnsupportedOperationException("a fence only gets, and runs transactions");
    }

    @Override
    public CompletableFuture<PutResponse> put(ByteSequence key, ByteSequence value) {
        throw unexpected();
    }

    @Override
    public CompletableFuture<PutResponse> put(ByteSequence key, ByteSequence value, PutOption option) {
        throw unexpected();
    }

    @Override
    public CompletableFuture<GetResponse> get(ByteSequence key, GetOption option) {
        throw unexpected();
    }

    @Override
    public CompletableFuture<DeleteResponse> delete(ByteSequence key) {
        throw unexpected();
    }

    @Override
    public CompletableFuture<DeleteResponse> delete(ByteSequence key, DeleteOption option) {
        throw unexpected();
    }

    @Override
    public CompletableFuture<CompactResponse> compact(long revision) {
        throw unexpected();
    }

    @Override
    public CompletableFuture<CompactResponse> compact(long revision, CompactOption option) {
        throw unexpected();
    }

    @Override
    public Txn txn(TxnOption option) {
        throw unexpected();
    }
}
