package io.shardwright.canary.executor;

import io.shardwright.client.ExecutorListener;
import io.shardwright.client.lease.ShardStop;
import java.time.Duration;
import java.util.function.Consumer;

/** Prints one line per change of state, {@code what key=value ...}. */
final class StateLines implements ExecutorListener {

    private final String namespace;
    private final Consumer<String> lines;

    StateLines(String namespace, Consumer<String> lines) {
        this.namespace = namespace;
        this.lines = lines;
    }

    private void say(String what) {
        lines.accept(what + " namespace=" + namespace);
    }

    @Override
    public void registered(Duration lease) {
        say("registered lease=" + lease.toMillis() + "ms");
    }

    @Override
    public void callFailed(String message) {
        say("call-failed message=\"" + message.replace('\n', ' ') + "\"");
    }

    @Override
    public void idInUse(Duration retryAfter) {
        say("id-in-use retry-after=" + retryAfter.toMillis() + "ms");
    }

    @Override
    public void leaseEnded(int shards) {
        say("lease-ended shards=" + shards);
    }

    @Override
    public void shardStarted(String shardKey, long epoch) {
        say("shard-started shard=" + shardKey + " epoch=" + epoch);
    }

    @Override
    public void shardFailed(String shardKey, long epoch, Throwable cause) {
        say("shard-failed shard=" + shardKey + " epoch=" + epoch + " cause=\"" + cause + "\"");
    }

    @Override
    public void shardStopped(String shardKey, long epoch, ShardStop reason) {
        say("shard-stopped shard=" + shardKey + " epoch=" + epoch + " reason=" + reason);
    }

    @Override
    public void shardSlow(String shardKey, long epoch, SlowStep step) {
        say("shard-slow shard=" + shardKey + " epoch=" + epoch + " step=" + step);
    }
}
