package io.shardwright.client;

import io.shardwright.client.lease.AgentListener;
import io.shardwright.client.lease.ShardStop;
import io.shardwright.domain.Outcome;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;

/**
 * Hands the events of one client to the application's listener, in order and on a thread of their own, and logs them.
 */
final class ExecutorEvents implements ExecutorListener, AgentListener, AutoCloseable {

    private static final Logger LOG = System.getLogger(ExecutorClient.class.getName());

    private final String who;
    private final ExecutorListener listener;
    private final CompletableFuture<Duration> firstRegistration;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(
            Thread.ofVirtual().name("shardwright-events").factory());
    // Used on the event loop only: one log line per outage, not one per attempt.
    private boolean failing;

    ExecutorEvents(String who, ExecutorListener listener, CompletableFuture<Duration> firstRegistration) {
        this.who = who;
        this.listener = listener;
        this.firstRegistration = firstRegistration;
    }

    private void tell(Runnable event) {
        try {
            thread.execute(() -> {
                try {
                    event.run();
                } catch (RuntimeException e) {
                    LOG.log(Level.WARNING, who + ": the listener threw", e);
                }
            });
        } catch (RejectedExecutionException e) {
            // Closed: nobody listens any more.
            LOG.log(Level.DEBUG, "{0}: event after close", who);
        }
    }

    @Override
    public void registered(Duration lease) {
        failing = false;
        LOG.log(Level.INFO, "{0}: registered, lease {1}", who, lease);
        firstRegistration.complete(lease);
        tell(() -> listener.registered(lease));
    }

    @Override
    public void registrationFailed(Outcome.Fault fault) {
        failed("registration failed", fault);
    }

    @Override
    public void renewalFailed(Outcome.Fault fault) {
        failed("renewal failed", fault);
    }

    private void failed(String what, Outcome.Fault fault) {
        LOG.log(failing ? Level.DEBUG : Level.WARNING, "{0}: {1} and is repeated: {2}", who, what, fault.message());
        failing = true;
        tell(() -> listener.callFailed(what + ": " + fault.message()));
    }

    @Override
    public void renewed() {
        failing = false;
    }

    @Override
    public void idInUse(Duration retryAfter) {
        LOG.log(
                Level.WARNING,
                "{0}: another live process holds this executor id; nothing runs here. Give each process its own id. Next attempt in {1}",
                who,
                retryAfter);
        tell(() -> listener.idInUse(retryAfter));
    }

    @Override
    public void forgotten() {
        LOG.log(Level.INFO, "{0}: not known to the shard manager any more, registering again", who);
    }

    @Override
    public void leaseEnded(int shards) {
        LOG.log(Level.WARNING, "{0}: the lease ended for {1} shards without an answer; they stop", who, shards);
        tell(() -> listener.leaseEnded(shards));
    }

    @Override
    public void shardStarted(String shardKey, long epoch) {
        tell(() -> listener.shardStarted(shardKey, epoch));
    }

    @Override
    public void shardFailed(String shardKey, long epoch, Throwable cause) {
        tell(() -> listener.shardFailed(shardKey, epoch, cause));
    }

    @Override
    public void shardStopped(String shardKey, long epoch, ShardStop reason) {
        tell(() -> listener.shardStopped(shardKey, epoch, reason));
    }

    @Override
    public void shardSlow(String shardKey, long epoch, SlowStep step) {
        tell(() -> listener.shardSlow(shardKey, epoch, step));
    }

    @Override
    public void callFailed(String message) {
        tell(() -> listener.callFailed(message));
    }

    /** Delivers what was handed over, then nothing more. */
    @Override
    public void close() {
        thread.shutdown();
    }
}
