package io.shardwright.sim.etcd;

import io.shardwright.domain.Outcome;
import io.shardwright.domain.Outcome.Fault;
import io.shardwright.domain.Scheduler;
import io.shardwright.persistence.RangeRequest;
import io.shardwright.persistence.RangeResponse;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.StoreLeases;
import io.shardwright.persistence.Txn;
import io.shardwright.persistence.TxnResponse;
import io.shardwright.persistence.WatchBatch;
import io.shardwright.persistence.WatchRequest;
import io.shardwright.sim.kernel.SimProcess;
import io.shardwright.sim.network.Order;
import io.shardwright.sim.plan.Shape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The etcd of one replica, with the faults that a client of etcd meets: it is connected to one member, calls end with
 * the request time-out, and a write without an answer may have happened, may happen later, or never.
 */
final class SimStore implements Store {

    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(2);
    private static final long RAFT_LATENCY = 1_000_000;
    private static final long LATEST = 10_000_000_000L;

    private final SimEtcd etcd;
    private final SimProcess process;
    private final String writer;
    private final LinkedHashSet<OpenWatch> watches = new LinkedHashSet<>();
    private final Leases leases = new Leases();
    private final LinkedHashSet<Call<?>> open = new LinkedHashSet<>();
    private Order out = new Order();
    private int member;
    private boolean closed;

    private final SimEtcd.Telling telling;

    SimStore(SimEtcd etcd, SimProcess process, String writer, int member) {
        this.etcd = etcd;
        this.process = process;
        this.writer = writer;
        this.telling = etcd.tellingAnew(process.name());
        this.member = member;
    }

    /** What etcd does for a call, and whom it tells. */
    private interface Step<T> {
        void run(Consumer<Outcome<T>> answer);
    }

    private enum Kind {
        READ,
        /** Leases and compactions. */
        WRITE,
        /** What only a leader does. */
        STATE_WRITE;

        boolean writes() {
            return this != READ;
        }
    }

    @Override
    public void range(RangeRequest request, Consumer<Outcome<RangeResponse>> answer) {
        new Call<RangeResponse>(Kind.READ, then -> etcd.read(request, then), answer).send();
    }

    @Override
    public void txn(Txn txn, Consumer<Outcome<TxnResponse>> answer) {
        Kind kind = SimEtcd.writesState(txn) ? Kind.STATE_WRITE : Kind.WRITE;
        new Call<TxnResponse>(kind, then -> etcd.write(writer, txn, then), answer).send();
    }

    @Override
    public StoreLeases leases() {
        return leases;
    }

    @Override
    public void compact(long revision, Consumer<Outcome<Long>> answer) {
        new Call<Long>(Kind.WRITE, then -> etcd.store().compact(revision, then), answer).send();
    }

    @Override
    public Watch watch(WatchRequest request, WatchListener listener) {
        OpenWatch watch = new OpenWatch(listener);
        if (closed) {
            process.execute(() -> listener.ended(closedFault()));
            return watch;
        }
        watches.add(watch);
        watch.open(request);
        return watch;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            endWatches(closedFault());
        }
    }

    private static Fault closedFault() {
        return new Fault(Fault.Kind.UNAVAILABLE, "the store is closed");
    }

    private String memberName() {
        return Shape.ETCD_MEMBERS.get(member);
    }

    /** The member does not answer: the next one may, and what hung on the connection is gone. */
    private void reconnect(int from) {
        if (member == from) {
            member = (member + 1) % Shape.ETCD_MEMBERS.size();
            out = new Order();
            endWatches(new Fault(
                    Fault.Kind.UNAVAILABLE, "the connection to " + Shape.ETCD_MEMBERS.get(from) + " was lost"));
        }
    }

    /** The connection to a member is reset. */
    void reset(int from) {
        process.execute(() -> {
            if (member == from) {
                etcd.counted("connection to etcd reset");
                new ArrayList<Call<?>>(open).forEach(call -> call.reset(from));
                reconnect(from);
            }
        });
    }

    private void endWatches(Fault fault) {
        List<OpenWatch> ended = new ArrayList<>(watches);
        watches.clear();
        ended.forEach(watch -> watch.end(fault));
    }

    /** One call. It answers exactly once. */
    private final class Call<T> {
        private final Kind kind;
        private final Step<T> step;
        private final Consumer<Outcome<T>> answer;
        private final int asked = member;
        private Optional<Scheduler.Timer> timer = Optional.empty();
        private boolean answered;
        private boolean unknown;
        private boolean done;
        private boolean never;

        Call(Kind kind, Step<T> step, Consumer<Outcome<T>> answer) {
            this.kind = kind;
            this.step = step;
            this.answer = answer;
        }

        void send() {
            if (closed) {
                process.execute(() -> finish(new Outcome.Failure<>(closedFault())));
                return;
            }
            open.add(this);
            timer = Optional.of(process.schedule(REQUEST_TIMEOUT, () -> {
                finish(noAnswer("no answer within " + REQUEST_TIMEOUT.toSeconds() + " s"));
                reconnect(asked);
            }));
            if (etcd.network().drops(process.name(), memberName())) {
                etcd.counted("call of etcd lost");
                never = true; // it times out
                return;
            }
            etcd.network().send(process.name(), memberName(), out, this::arrive);
        }

        /** The connection was reset: whoever is not answered yet is not answered any more. */
        void reset(int member) {
            if (asked == member) {
                finish(noAnswer("connection reset"));
            }
        }

        private Outcome<T> noAnswer(String why) {
            Fault fault = new Fault(Fault.Kind.UNAVAILABLE, why);
            return kind.writes() ? new Outcome.Unknown<>(fault) : new Outcome.Failure<>(fault);
        }

        private void arrive() {
            if (etcd.isDown(asked)) {
                never = true;
                return;
            }
            if (!etcd.hasLeader()) {
                withoutLeader();
                return;
            }
            if (kind.writes() && etcd.isFull()) {
                back(new Outcome.Failure<>(new Fault(Fault.Kind.NO_SPACE, "etcd is out of space")));
                return;
            }
            if (kind.writes() && etcd.random().chance(etcd.lostAnswers())) {
                withoutAnswer();
                return;
            }
            apply(etcd.random().exponential(RAFT_LATENCY), this::back);
        }

        private void apply(long delay, Consumer<Outcome<T>> then) {
            etcd.kernel()
                    .after(
                            delay,
                            () -> etcd.machine().execute(() -> {
                                done = true;
                                if (unknown && kind == Kind.STATE_WRITE) {
                                    etcd.counted("write of unknown outcome happened later");
                                }
                                step.run(then);
                            }));
        }

        /** A proposal that the leader took with it may come back with the next one, or not. */
        private void withoutLeader() {
            switch (etcd.random().nextInt(4)) {
                case 0 -> {
                    never = true;
                    back(noAnswer("etcdserver: no leader"));
                }
                case 1 -> {
                    if (kind.writes()) {
                        apply(etcd.random().between(RAFT_LATENCY, LATEST), outcome -> {});
                    }
                }
                default -> never = true;
            }
        }

        private void withoutAnswer() {
            switch (etcd.random().nextInt(5)) {
                case 0 -> apply(etcd.random().exponential(RAFT_LATENCY), outcome -> {});
                case 1 -> {
                    never = true;
                    back(noAnswer("etcdserver: request timed out"));
                }
                case 3 -> // it was not even proposed
                    back(new Outcome.Failure<>(new Fault(Fault.Kind.UNAVAILABLE, "etcdserver: too many requests")));
                case 2 -> {
                    back(noAnswer("etcdserver: leader changed"));
                    apply(etcd.random().between(RAFT_LATENCY, LATEST), outcome -> {});
                }
                default ->
                    apply(etcd.random().exponential(RAFT_LATENCY), outcome -> back(noAnswer("connection reset")));
            }
        }

        private void back(Outcome<T> outcome) {
            if (kind == Kind.STATE_WRITE && done && !process.alive()) {
                etcd.counted("replica died between storing and telling");
            }
            if (etcd.network().drops(Shape.ETCD_MEMBERS.get(asked), process.name())) {
                etcd.counted("answer of etcd lost");
                return;
            }
            etcd.network()
                    .send(
                            Shape.ETCD_MEMBERS.get(asked),
                            process.name(),
                            new Order(),
                            () -> process.execute(() -> finish(outcome)));
        }

        private void finish(Outcome<T> outcome) {
            if (!answered) {
                answered = true;
                timer.ifPresent(Scheduler.Timer::cancel);
                open.remove(this);
                if (outcome instanceof Outcome.Unknown<T>) {
                    unknown = true;
                    if (kind != Kind.STATE_WRITE) {
                        etcd.counted("election write of unknown outcome");
                    } else if (done) {
                        etcd.counted("write of unknown outcome had happened");
                    } else if (never) {
                        etcd.counted("write of unknown outcome never happened");
                    }
                }
                answer.accept(outcome);
            }
        }
    }

    /** A watch on the stream of one member. */
    private final class OpenWatch implements Watch {
        private final WatchListener listener;
        private final Order back = new Order();
        private final int asked = member;
        private Optional<Watch> upstream = Optional.empty();
        private boolean over;

        OpenWatch(WatchListener listener) {
            this.listener = listener;
        }

        void open(WatchRequest request) {
            telling.changedAt = etcd.kernel().now();
            telling.underWay++;
            etcd.network().send(process.name(), memberName(), out, () -> {
                telling.underWay--;
                telling.lost = false;
                telling.changedAt = etcd.kernel().now();
                if (over || !process.alive()) {
                    return;
                }
                if (etcd.isDown(asked)) {
                    broken();
                    return;
                }
                upstream = Optional.of(etcd.store().watch(request, new WatchListener() {
                    @Override
                    public void changed(WatchBatch batch) {
                        WatchBatch told = etcd.told(batch);
                        carry(() -> listener.changed(told));
                    }

                    @Override
                    public void ended(Fault fault) {
                        if (fault.kind() == Fault.Kind.OUT_OF_RANGE) {
                            etcd.counted("watch fell behind a compaction");
                        }
                        carry(() -> end(fault));
                    }
                }));
            });
        }

        private void carry(Runnable event) {
            if (!process.alive()) {
                cancelUpstream();
                return;
            }
            if (etcd.isDown(asked) || etcd.network().drops(Shape.ETCD_MEMBERS.get(asked), process.name())) {
                broken(); // an event that cannot be carried must not be missed in silence
            } else {
                telling.underWay++;
                etcd.network()
                        .send(
                                Shape.ETCD_MEMBERS.get(asked),
                                process.name(),
                                back,
                                () -> process.execute(() -> {
                                    telling.underWay--;
                                    if (!over) {
                                        event.run();
                                    }
                                }));
            }
        }

        private void broken() {
            process.execute(() -> end(new Fault(Fault.Kind.UNAVAILABLE, Shape.ETCD_MEMBERS.get(asked) + " is gone")));
        }

        void end(Fault fault) {
            if (!over) {
                over = true;
                telling.lost |= fault.kind() != Fault.Kind.OUT_OF_RANGE;
                telling.changedAt = etcd.kernel().now();
                watches.remove(this);
                cancelUpstream();
                process.execute(() -> listener.ended(fault));
            }
        }

        @Override
        public void cancel() {
            over = true;
            watches.remove(this);
            cancelUpstream();
        }

        private void cancelUpstream() {
            etcd.machine().execute(() -> upstream.ifPresent(Watch::cancel));
        }
    }

    private final class Leases implements StoreLeases {
        @Override
        public void grant(long ttlSeconds, Consumer<Outcome<Lease>> answer) {
            new Call<Lease>(Kind.WRITE, then -> etcd.store().leases().grant(ttlSeconds, then), answer).send();
        }

        @Override
        public void keepAlive(long leaseId, Consumer<Outcome<Lease>> answer) {
            new Call<Lease>(Kind.WRITE, then -> etcd.store().leases().keepAlive(leaseId, then), answer).send();
        }

        @Override
        public void revoke(long leaseId, Consumer<Outcome<Long>> answer) {
            new Call<Long>(Kind.WRITE, then -> etcd.store().leases().revoke(leaseId, then), answer).send();
        }

        @Override
        public void timeToLive(long leaseId, Consumer<Outcome<Lease>> answer) {
            new Call<Lease>(
                            Kind.READ,
                            then -> etcd.store().leases().timeToLive(leaseId, outcome -> then.accept(inTerm(outcome))),
                            answer)
                    .send();
        }

        private Outcome<Lease> inTerm(Outcome<Lease> outcome) {
            return outcome instanceof Outcome.Success<Lease>(Lease lease)
                    ? Outcome.success(new Lease(lease.id(), lease.ttlSeconds(), lease.grantedTtlSeconds(), etcd.term()))
                    : outcome;
        }
    }
}
