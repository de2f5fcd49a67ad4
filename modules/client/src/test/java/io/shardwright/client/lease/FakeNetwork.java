package io.shardwright.client.lease;

import io.shardwright.domain.Outcome;
import io.shardwright.domain.Scheduler;
import io.shardwright.proto.v1.AssignmentDelivery;
import io.shardwright.proto.v1.DeregisterRequest;
import io.shardwright.proto.v1.DeregisterResponse;
import io.shardwright.proto.v1.RegisterRequest;
import io.shardwright.proto.v1.ReleaseRequest;
import io.shardwright.proto.v1.ReleaseResponse;
import io.shardwright.proto.v1.RenewRequest;
import io.shardwright.proto.v1.WatchAssignmentsRequest;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Carries the calls of one executor to the fake manager, with delays and losses that the test decides on. */
final class FakeNetwork implements Transport {

    /** What becomes of the next message. */
    interface Weather {
        /** How long it travels. */
        Duration delay();

        /** Whether it gets lost. */
        boolean lost();
    }

    static final class Calm implements Weather {
        Duration delay = Duration.ofMillis(1);
        boolean cut;

        @Override
        public Duration delay() {
            return delay;
        }

        @Override
        public boolean lost() {
            return cut;
        }
    }

    private final Scheduler wire;
    private final FakeManager manager;
    private final Weather requests;
    private final Weather answers;
    int opened;
    Consumer<Outcome.Fault> cutStream = fault -> {};
    Consumer<AssignmentDelivery> inject = delivery -> {};

    FakeNetwork(Scheduler wire, FakeManager manager, Weather requests, Weather answers) {
        this.wire = wire;
        this.manager = manager;
        this.requests = requests;
        this.answers = answers;
    }

    private <A> void call(Duration deadline, Supplier<Outcome<A>> server, Consumer<Outcome<A>> answer) {
        boolean[] done = {false};
        wire.schedule(
                deadline, () -> finish(done, answer, Outcome.unknown(Outcome.Fault.Kind.UNAVAILABLE, "deadline")));
        if (requests.lost()) {
            return;
        }
        wire.schedule(requests.delay(), () -> {
            Outcome<A> outcome = server.get();
            if (!answers.lost()) {
                wire.schedule(answers.delay(), () -> finish(done, answer, outcome));
            }
        });
    }

    private static <A> void finish(boolean[] done, Consumer<Outcome<A>> answer, Outcome<A> outcome) {
        if (!done[0]) {
            done[0] = true;
            answer.accept(outcome);
        }
    }

    @Override
    public void register(RegisterRequest request, Duration deadline, Consumer<Outcome<RegisterReply>> answer) {
        call(deadline, () -> Outcome.success(manager.register(request)), answer);
    }

    @Override
    public void renew(RenewRequest request, Duration deadline, Consumer<Outcome<RenewReply>> answer) {
        call(deadline, () -> Outcome.success(manager.renew(request)), answer);
    }

    @Override
    public void release(ReleaseRequest request, Duration deadline, Consumer<Outcome<ReleaseResponse>> answer) {
        call(deadline, () -> Outcome.success(manager.release(request)), answer);
    }

    @Override
    public void deregister(DeregisterRequest request, Duration deadline, Consumer<Outcome<DeregisterResponse>> answer) {
        call(
                deadline,
                () -> manager.deregister(request)
                        .map(Outcome::success)
                        .orElse(Outcome.failure(Outcome.Fault.Kind.NOT_FOUND, "not registered")),
                answer);
    }

    @Override
    public AssignmentStream watchAssignments(
            WatchAssignmentsRequest request, Consumer<AssignmentDelivery> onDelivery, Consumer<Outcome.Fault> onEnd) {
        boolean[] closed = {false};
        opened++;
        Consumer<AssignmentDelivery> deliver = delivery -> {
            if (!closed[0]) {
                onDelivery.accept(delivery);
            }
        };
        inject = deliver;
        cutStream = fault -> {
            if (!closed[0]) {
                closed[0] = true;
                onEnd.accept(fault);
            }
        };
        wire.schedule(requests.delay(), () -> {
            boolean known = manager.watch(request.getExecutorId(), delivery -> {
                if (!answers.lost()) {
                    wire.schedule(answers.delay(), () -> deliver.accept(delivery));
                }
            });
            if (!known) {
                cutStream.accept(new Outcome.Fault(Outcome.Fault.Kind.NOT_FOUND, "not registered"));
            }
        });
        return () -> closed[0] = true;
    }
}
