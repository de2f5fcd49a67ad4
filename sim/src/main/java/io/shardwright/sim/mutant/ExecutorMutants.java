package io.shardwright.sim.mutant;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.op.Op;
import io.shardwright.client.lease.Transport;
import io.shardwright.domain.Clock;
import io.shardwright.domain.Outcome;
import io.shardwright.domain.Outcome.Fault;
import io.shardwright.proto.v1.Assignment;
import io.shardwright.proto.v1.AssignmentDelivery;
import io.shardwright.proto.v1.DeregisterRequest;
import io.shardwright.proto.v1.DeregisterResponse;
import io.shardwright.proto.v1.RegisterRequest;
import io.shardwright.proto.v1.RegisterResponse;
import io.shardwright.proto.v1.RenewRequest;
import io.shardwright.proto.v1.RenewResponse;
import io.shardwright.proto.v1.WatchAssignmentsRequest;
import io.shardwright.sim.cluster.Fence;
import io.shardwright.sim.cluster.Wiring;
import io.shardwright.sim.kernel.SimProcess;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** What can be wrong with an executor. */
final class ExecutorMutants {

    private static final Duration WORK = Duration.ofMillis(400);

    private ExecutorMutants() {}

    static Wiring neverStops() {
        return new Wiring() {
            private Clock standsStill(SimProcess executor) {
                long begin = executor.nanoTime();
                return new Clock() {
                    @Override
                    public long nanoTime() {
                        return begin;
                    }

                    @Override
                    public Instant wallTime() {
                        return executor.wallTime();
                    }
                };
            }

            @Override
            public Clock executorClock(SimProcess executor) {
                return standsStill(executor);
            }

            @Override
            public Clock applicationClock(SimProcess executor) {
                return standsStill(executor);
            }
        };
    }

    /** The lease is told longer by the time that the answer took, which is to count it from the answer. */
    static Wiring countsFromTheAnswer() {
        return new Wiring() {
            @Override
            public Transport transport(SimProcess executor, Transport real) {
                return new TransportMutant(real) {
                    @Override
                    public void renew(RenewRequest request, Duration deadline, Consumer<Outcome<RenewReply>> answer) {
                        long sent = executor.nanoTime();
                        this.real.renew(request, deadline, outcome -> {
                            long took = (executor.nanoTime() - sent) / 1_000_000;
                            if (outcome instanceof Outcome.Success<RenewReply>(RenewReply.Renewed renewed)) {
                                RenewResponse longer = renewed.response().toBuilder()
                                        .setLeaseMillis(renewed.response().getLeaseMillis() + took)
                                        .build();
                                answer.accept(Outcome.success(new RenewReply.Renewed(longer)));
                            } else {
                                answer.accept(outcome);
                            }
                        });
                    }
                };
            }
        };
    }

    static Wiring noDriftMargin() {
        return new Wiring() {
            @Override
            public double clockTolerance() {
                return 0;
            }
        };
    }

    static Wiring retriesAtOnce() {
        return new Wiring() {
            @Override
            public Transport transport(SimProcess executor, Transport real) {
                return new TransportMutant(real) {
                    @Override
                    public void renew(RenewRequest request, Duration deadline, Consumer<Outcome<RenewReply>> answer) {
                        this.real.renew(request, deadline, outcome -> {
                            if (outcome instanceof Outcome.Success<RenewReply>) {
                                answer.accept(outcome);
                            } else {
                                renew(request, deadline, answer);
                            }
                        });
                    }
                };
            }
        };
    }

    static Wiring timerOutlivesClient() {
        return new Wiring() {
            @Override
            public Transport transport(SimProcess executor, Transport real) {
                return new TransportMutant(real) {
                    @Override
                    public void deregister(
                            DeregisterRequest request,
                            Duration deadline,
                            Consumer<Outcome<DeregisterResponse>> answer) {
                        executor.schedule(deadline, () -> {}); // for an answer, and nobody takes it back
                        this.real.deregister(request, deadline, answer);
                    }
                };
            }
        };
    }

    static Wiring pushOfAnotherProcessApplied() {
        return pushes(false);
    }

    static Wiring olderPushApplied() {
        return pushes(true);
    }

    /** Makes pushes look like the newest word of the process that is followed; delayed ones are then older sets. */
    private static Wiring pushes(boolean again) {
        return new Wiring() {
            @Override
            public Transport transport(SimProcess executor, Transport real) {
                return new TransportMutant(real) {
                    private String incarnation = "";
                    private long revision;

                    @Override
                    public void register(
                            RegisterRequest request, Duration deadline, Consumer<Outcome<RegisterReply>> answer) {
                        this.real.register(request, deadline, outcome -> {
                            if (outcome instanceof Outcome.Success<RegisterReply>(RegisterReply.Registered reply)) {
                                note(reply.response());
                            }
                            answer.accept(outcome);
                        });
                    }

                    private void note(RegisterResponse response) {
                        incarnation = response.getAssignment().getIncarnation();
                        revision = response.getAssignment().getRevision();
                    }

                    @Override
                    public void renew(RenewRequest request, Duration deadline, Consumer<Outcome<RenewReply>> answer) {
                        this.real.renew(request, deadline, outcome -> {
                            if (outcome instanceof Outcome.Success<RenewReply>(RenewReply.Renewed reply)) {
                                RenewResponse response = reply.response();
                                incarnation = response.hasConfirmed()
                                        ? response.getConfirmed().getIncarnation()
                                        : response.getAssignment().getIncarnation();
                                revision = Math.max(
                                        response.getConfirmed().getRevision(),
                                        response.getAssignment().getRevision());
                            }
                            answer.accept(outcome);
                        });
                    }

                    @Override
                    public AssignmentStream watchAssignments(
                            WatchAssignmentsRequest request,
                            Consumer<AssignmentDelivery> onDelivery,
                            Consumer<Fault> onEnd) {
                        AssignmentStream unused = this.real.watchAssignments(
                                request,
                                delivery -> {
                                    if (!delivery.hasAssignment()) {
                                        onDelivery.accept(delivery);
                                    } else if (again) {
                                        onDelivery.accept(delivery);
                                        revision = Math.max(
                                                revision,
                                                delivery.getAssignment().getRevision());
                                        executor.scheduleAside(
                                                Duration.ofSeconds(2), () -> onDelivery.accept(newest(delivery)));
                                    } else {
                                        onDelivery.accept(newest(delivery));
                                    }
                                },
                                onEnd);
                        return () -> {}; // the streams of former leaders are heard as well
                    }

                    private AssignmentDelivery newest(AssignmentDelivery delivery) {
                        Assignment set = delivery.getAssignment();
                        return delivery.toBuilder()
                                .setAssignment(set.toBuilder()
                                        .setIncarnation(incarnation)
                                        .setRevision(Math.max(revision, set.getRevision()) + 1))
                                .build();
                    }
                };
            }
        };
    }

    /** Whoever comes may write. */
    static Wiring noFence() {
        return new Wiring() {
            @Override
            public Fence fence(SimProcess executor, Fence real, KV storage, String prefix) {
                return new Fence() {
                    @Override
                    public CompletableFuture<?> open(String shard, long epoch) {
                        return CompletableFuture.completedFuture(null);
                    }

                    @Override
                    public CompletableFuture<?> write(String shard, long epoch, Op write) {
                        return storage.txn().Then(write).commit();
                    }
                };
            }
        };
    }

    /** Looks at the fence, works for a while, and then writes without looking again. */
    static Wiring fenceOutsideOfTheWrite() {
        return new Wiring() {
            @Override
            public Fence fence(SimProcess executor, Fence real, KV storage, String prefix) {
                return new Fence() {
                    @Override
                    public CompletableFuture<?> open(String shard, long epoch) {
                        return real.open(shard, epoch);
                    }

                    @Override
                    public CompletableFuture<?> write(String shard, long epoch, Op write) {
                        ByteSequence key = ByteSequence.from(prefix + shard, StandardCharsets.UTF_8);
                        return storage.get(key).thenCompose(found -> {
                            boolean mine = found.getKvs().stream()
                                    .anyMatch(kv -> kv.getValue()
                                            .toString(StandardCharsets.UTF_8)
                                            .startsWith(epoch + " "));
                            CompletableFuture<Boolean> worked = new CompletableFuture<>();
                            if (mine) {
                                executor.scheduleAside(WORK, () -> worked.complete(true));
                            }
                            return worked.thenCompose(
                                    done -> storage.txn().Then(write).commit());
                        });
                    }
                };
            }
        };
    }
}
