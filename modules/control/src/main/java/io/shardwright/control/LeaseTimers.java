package io.shardwright.control;

import io.shardwright.domain.Clock;
import io.shardwright.domain.ExecutorId;
import io.shardwright.domain.Scheduler;
import java.time.Duration;
import java.util.Optional;
import java.util.TreeSet;

/**
 * What time demands of one namespace: which executors are lost, and when a pass has to look again. All methods run on
 * the event loop.
 */
final class LeaseTimers {

    /** How often loads are looked at for a move that only evens them out (floor 1.7: period 1 s). */
    private static final Duration LOAD_PERIOD = Duration.ofSeconds(1);

    /**
     * How long the shards of a silent process stay reserved for its successor that asked for the id (B5). It asks again
     * right at the lease end.
     */
    private static final Duration SUCCESSOR_GRACE = Duration.ofSeconds(1);

    private final Clock clock;
    private final Scheduler loop;
    private final NamespaceState state;
    private final ControlListener listener;
    private final LossGuard lossGuard;
    private final Runnable leaseDue;
    private final Runnable loadsDue;
    private Optional<Scheduler.Timer> timer = Optional.empty();
    private long timerDue;
    private long lookedAt;
    private boolean loadTimer;
    private boolean closed;

    /**
     * @param leaseDue called when a lease ended, or a shard that a lost executor may still run is free
     * @param loadsDue called when it is time to look at the loads
     */
    LeaseTimers(NamespaceControl.Surroundings around, NamespaceState state, Runnable leaseDue, Runnable loadsDue) {
        this.clock = around.clock();
        this.loop = around.loop();
        this.listener = around.listener();
        this.state = state;
        this.lossGuard = new LossGuard(
                around.settings().massLossShare(), state.namespace().lease());
        this.leaseDue = leaseDue;
        this.loadsDue = loadsDue;
    }

    void close() {
        closed = true;
        timer.ifPresent(Scheduler.Timer::cancel);
    }

    /** Returns the executors to take for lost. Remembers the moment: it is not looked at again. */
    TreeSet<ExecutorId> lostExecutors(long now) {
        lookedAt = now;
        TreeSet<ExecutorId> silent = new TreeSet<>();
        state.sessions().forEach(session -> {
            if (now - lossMoment(session) >= 0) {
                silent.add(session.id());
            }
        });
        return switch (lossGuard.judge(silent.size(), state.executors().size(), now)) {
            case ACT -> silent;
            case HOLD_BACK_FROM_NOW -> {
                listener.event(new ControlEvent.LossHeldBack(
                        state.namespace().name(),
                        silent.size(),
                        "more than the allowed share of the executors is silent at once"));
                yield new TreeSet<>();
            }
            case HOLD_BACK -> new TreeSet<>();
        };
    }

    private long lossMoment(ExecutorSession session) {
        boolean awaited = session.successor()
                .filter(other -> session.leaseEnd() - other.lastAskedAt()
                        <= state.namespace().lease().toNanos())
                .isPresent();
        return awaited ? session.leaseEnd() + SUCCESSOR_GRACE.toNanos() : session.leaseEnd();
    }

    /** Waits for the next moment that matters. To be called after each pass. */
    void arm() {
        if (closed) {
            return;
        }
        Optional<Long> due = Optional.empty();
        for (ExecutorSession session : state.sessions()) {
            due = earlier(due, lossMoment(session));
            if (session.nextHoldEnd().isPresent()) {
                due = earlier(due, session.nextHoldEnd().get());
            }
        }
        Optional<Long> heldBack = lossGuard.heldBackUntil();
        if (heldBack.isPresent()) {
            due = earlier(due, heldBack.get());
        }
        if (due.isPresent() && (timer.isEmpty() || due.get() - timerDue < 0)) {
            timer.ifPresent(Scheduler.Timer::cancel);
            timerDue = due.get();
            timer = Optional.of(
                    loop.schedule(Duration.ofNanos(Math.max(0, timerDue - clock.nanoTime())), this::leaseTimer));
        }
        if (!loadTimer && !state.executors().isEmpty()) {
            loadTimer = true;
            loop.schedule(LOAD_PERIOD, this::loadTimer);
        }
    }

    /**
     * The earlier of two moments. One that the last pass looked at already is over, or held back until
     * {@link LossGuard} lets it through.
     */
    private Optional<Long> earlier(Optional<Long> due, long moment) {
        if (moment - lookedAt <= 0) {
            return due;
        }
        return due.isEmpty() || moment - due.get() < 0 ? Optional.of(moment) : due;
    }

    private void leaseTimer() {
        timer = Optional.empty();
        if (closed) {
            return;
        }
        long now = clock.nanoTime();
        if (lossGuard.stoodStill(timerDue, now)) {
            listener.event(new ControlEvent.LossHeldBack(
                    state.namespace().name(), state.executors().size(), "this process stood still past a lease check"));
            state.sessions()
                    .forEach(session ->
                            session.extend(now + state.namespace().lease().toNanos()));
        }
        leaseDue.run();
    }

    private void loadTimer() {
        loadTimer = false;
        if (!closed) {
            loadsDue.run();
        }
    }
}
