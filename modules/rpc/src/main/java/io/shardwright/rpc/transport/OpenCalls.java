package io.shardwright.rpc.transport;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** The calls of one endpoint that have started and not ended, for a stop that lets them finish. Thread-safe. */
public final class OpenCalls {
    private final Set<Call> calls = ConcurrentHashMap.newKeySet();
    private final CountDownLatch drained = new CountDownLatch(1);
    private volatile boolean draining; // read by every call, written by the thread that stops the endpoint

    /** A call that can be ended from outside. */
    interface Call {
        /** Ends the call with UNAVAILABLE. May wait for a message that is being written. */
        void cut();
    }

    /** Counts the call in; false if no new calls are taken. */
    boolean enter(Call call) {
        calls.add(call);
        if (draining) {
            leave(call);
            return false;
        }
        return true;
    }

    /** Idempotent. */
    void leave(Call call) {
        calls.remove(call);
        if (draining && calls.isEmpty()) {
            drained.countDown();
        }
    }

    /** Takes no new calls from here on. */
    public void refuseNew() {
        draining = true;
        if (calls.isEmpty()) {
            drained.countDown();
        }
    }

    /**
     * Waits until every call has ended, after {@link #refuseNew()}; false if the time ran out.
     *
     * @throws InterruptedException if the waiting thread is interrupted
     */
    public boolean await(Duration atMost) throws InterruptedException {
        return drained.await(atMost.toNanos(), NANOSECONDS);
    }

    /** Ends every call with UNAVAILABLE, without waiting for it. */
    public void cutAll() {
        calls.forEach(call -> Thread.startVirtualThread(call::cut));
    }
}
