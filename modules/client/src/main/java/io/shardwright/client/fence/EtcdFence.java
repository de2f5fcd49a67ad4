package io.shardwright.client.fence;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.PutOption;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Fences writes to etcd: each write carries the compare "the fence key still names me at my epoch" in its own
 * transaction.
 *
 * <p>The fence key is {@code <prefix><namespace>/<shard key>}, its value {@code <epoch> <owner>}. Thread-safe; calls do
 * not block.
 */
public final class EtcdFence {

    private final KV kv;
    private final String prefix;
    private final String owner;

    /**
     * @param prefix of the fence keys, with a final slash
     * @param owner what tells this process from every other one that ever had the shard, as
     *     {@code ShardContext.owner()} gives it
     */
    public EtcdFence(KV kv, String prefix, String namespace, String owner) {
        this.kv = kv;
        this.prefix = prefix + namespace + "/";
        this.owner = owner;
    }

    /**
     * Raises the recorded epoch to ours. Call it when a shard starts, before its state is read. Fails with
     * {@link StaleEpochException} when a newer owner is recorded.
     */
    public CompletableFuture<Void> open(String shardKey, long epoch) {
        if (epoch < 1) {
            throw new IllegalArgumentException(
                    "epoch: " + epoch + " must be at least 1; use the epoch of the assignment");
        }
        return kv.get(key(shardKey)).thenCompose(found -> raise(shardKey, epoch, found));
    }

    private CompletableFuture<Void> raise(String shardKey, long epoch, GetResponse found) {
        long modRevision = 0;
        if (!found.getKvs().isEmpty()) {
            KeyValue recorded = found.getKvs().getFirst();
            if (recorded.getValue().equals(value(epoch))) {
                return CompletableFuture.completedFuture(null);
            }
            if (epochOf(recorded.getValue()) >= epoch) {
                return CompletableFuture.failedFuture(new StaleEpochException(shardKey, epoch, owner));
            }
            modRevision = recorded.getModRevision();
        }
        return kv.txn()
                .If(new Cmp(key(shardKey), Cmp.Op.EQUAL, CmpTarget.modRevision(modRevision)))
                .Then(Op.put(key(shardKey), value(epoch), PutOption.DEFAULT))
                .commit()
                .thenCompose(
                        done -> done.isSucceeded() ? CompletableFuture.completedFuture(null) : open(shardKey, epoch));
    }

    /**
     * Writes if the fence still names us; the check and the write are one transaction. Fails with
     * {@link StaleEpochException} when a newer owner is recorded, or the fence was not opened at this epoch; then
     * nothing was written.
     */
    public CompletableFuture<TxnResponse> write(String shardKey, long epoch, Op... writes) {
        return kv.txn()
                .If(new Cmp(key(shardKey), Cmp.Op.EQUAL, CmpTarget.value(value(epoch))))
                .Then(writes)
                .commit()
                .thenApply(done -> {
                    if (!done.isSucceeded()) {
                        throw new CompletionException(new StaleEpochException(shardKey, epoch, owner));
                    }
                    return done;
                });
    }

    private ByteSequence key(String shardKey) {
        return ByteSequence.from(prefix + shardKey, StandardCharsets.UTF_8);
    }

    private ByteSequence value(long epoch) {
        return ByteSequence.from(epoch + " " + owner, StandardCharsets.UTF_8);
    }

    private static long epochOf(ByteSequence value) {
        String text = value.toString(StandardCharsets.UTF_8);
        try {
            return Long.parseLong(text.substring(0, Math.max(0, text.indexOf(' '))));
        } catch (NumberFormatException e) {
            throw new IllegalStateException(
                    "fence value '" + text + "' is not '<epoch> <owner>'; it was not written by a fence", e);
        }
    }
}
