package io.shardwright.sim.cluster;

import io.shardwright.client.lease.Transport;
import io.shardwright.domain.Outcome;
import io.shardwright.domain.Outcome.Fault;
import io.shardwright.proto.v1.AssignmentDelivery;
import io.shardwright.proto.v1.DeregisterRequest;
import io.shardwright.proto.v1.DeregisterResponse;
import io.shardwright.proto.v1.RegisterRequest;
import io.shardwright.proto.v1.ReleaseRequest;
import io.shardwright.proto.v1.ReleaseResponse;
import io.shardwright.proto.v1.RenewRequest;
import io.shardwright.proto.v1.WatchAssignmentsRequest;
import io.shardwright.sim.check.ExecutorCall;
import java.time.Duration;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The calls of an executor, seen at the very moment at which its client makes them and takes their answers. */
final class ObservedTransport implements Transport {

    private final Transport real;
    private final Application application;
    private final Simulation sim;
    private final TreeMap<Long, Long> open = new TreeMap<>(); // call to the local time at which it must have ended
    private long calls;
    private int renewals;

    ObservedTransport(Transport real, Application application, Simulation sim) {
        this.real = real;
        this.application = application;
        this.sim = sim;
    }

    /** Returns how many calls are past their deadline by more than a time. */
    long overdue(Duration slack) {
        long now = application.process().nanoTime();
        return open.values().stream().filter(end -> now - end > slack.toNanos()).count();
    }

    /** Says whether a renewal was sent and is not answered. */
    boolean renewing() {
        return renewals > 0;
    }

    @Override
    public void register(RegisterRequest request, Duration deadline, Consumer<Outcome<RegisterReply>> answer) {
        ExecutorCall call = begin(deadline);
        real.register(request, deadline, outcome -> {
            if (outcome instanceof Outcome.Success<RegisterReply>(RegisterReply.Registered reply)) {
                sim.registered(application, call, reply.response());
            }
            end(call);
            answer.accept(outcome);
        });
    }

    @Override
    public void renew(RenewRequest request, Duration deadline, Consumer<Outcome<RenewReply>> answer) {
        ExecutorCall call = begin(deadline);
        renewals++;
        real.renew(request, deadline, outcome -> {
            renewals--;
            if (outcome instanceof Outcome.Success<RenewReply>(RenewReply.Renewed reply)) {
                sim.renewed(application, call, request, reply.response());
            }
            end(call);
            answer.accept(outcome);
        });
    }

    @Override
    public void release(ReleaseRequest request, Duration deadline, Consumer<Outcome<ReleaseResponse>> answer) {
        ExecutorCall call = begin(deadline);
        real.release(request, deadline, outcome -> {
            end(call);
            answer.accept(outcome);
        });
    }

    @Override
    public void deregister(DeregisterRequest request, Duration deadline, Consumer<Outcome<DeregisterResponse>> answer) {
        ExecutorCall call = begin(deadline);
        sim.leaving(application);
        real.deregister(request, deadline, outcome -> {
            end(call);
            answer.accept(outcome);
        });
    }

    @Override
    public AssignmentStream watchAssignments(
            WatchAssignmentsRequest request, Consumer<AssignmentDelivery> onDelivery, Consumer<Fault> onEnd) {
        return real.watchAssignments(
                request,
                delivery -> {
                    sim.pushed(application, delivery);
                    onDelivery.accept(delivery);
                },
                onEnd);
    }

    private ExecutorCall begin(Duration deadline) {
        sim.called(application);
        long now = application.process().nanoTime();
        ExecutorCall call = new ExecutorCall(++calls, now);
        open.put(call.number(), now + deadline.toNanos());
        return call;
    }

    private void end(ExecutorCall call) {
        open.remove(call.number());
    }
}
