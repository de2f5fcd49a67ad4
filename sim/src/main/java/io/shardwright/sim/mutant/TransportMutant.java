package io.shardwright.sim.mutant;

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
import java.time.Duration;
import java.util.function.Consumer;

/** Calls of an executor that go as the real ones do; what is broken overrides one method. */
class TransportMutant implements Transport {

    final Transport real;

    TransportMutant(Transport real) {
        this.real = real;
    }

    @Override
    public void register(RegisterRequest request, Duration deadline, Consumer<Outcome<RegisterReply>> answer) {
        real.register(request, deadline, answer);
    }

    @Override
    public void renew(RenewRequest request, Duration deadline, Consumer<Outcome<RenewReply>> answer) {
        real.renew(request, deadline, answer);
    }

    @Override
    public void release(ReleaseRequest request, Duration deadline, Consumer<Outcome<ReleaseResponse>> answer) {
        real.release(request, deadline, answer);
    }

    @Override
    public void deregister(DeregisterRequest request, Duration deadline, Consumer<Outcome<DeregisterResponse>> answer) {
        real.deregister(request, deadline, answer);
    }

    @Override
    public AssignmentStream watchAssignments(
            WatchAssignmentsRequest request, Consumer<AssignmentDelivery> onDelivery, Consumer<Fault> onEnd) {
        return real.watchAssignments(request, onDelivery, onEnd);
    }
}
