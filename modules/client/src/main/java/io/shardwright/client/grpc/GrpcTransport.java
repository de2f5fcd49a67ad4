package io.shardwright.client.grpc;

import io.shardwright.client.lease.Transport;
import io.shardwright.domain.Outcome;
import io.shardwright.proto.v1.AssignmentDelivery;
import io.shardwright.proto.v1.DeregisterRequest;
import io.shardwright.proto.v1.DeregisterResponse;
import io.shardwright.proto.v1.ExecutorServiceGrpc;
import io.shardwright.proto.v1.RegisterRequest;
import io.shardwright.proto.v1.ReleaseRequest;
import io.shardwright.proto.v1.ReleaseResponse;
import io.shardwright.proto.v1.RenewRequest;
import io.shardwright.proto.v1.WatchAssignmentsRequest;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;

/** The executor's calls over gRPC. */
public final class GrpcTransport implements Transport {

    private static final String ID_IN_USE = "EXECUTOR_ID_IN_USE";
    private static final String NOT_REGISTERED = "EXECUTOR_NOT_REGISTERED";
    private static final Duration DEFAULT_RETRY_AFTER = Duration.ofSeconds(1);

    private final Connection connection;

    public GrpcTransport(Connection connection) {
        this.connection = connection;
    }

    @Override
    public void register(RegisterRequest request, Duration deadline, Consumer<Outcome<RegisterReply>> answer) {
        connection.call(
                ExecutorServiceGrpc.getRegisterMethod(),
                request,
                deadline,
                result ->
                        answer.accept(outcome(result, RegisterReply.Registered::new, error -> switch (error.reason()) {
                            case ID_IN_USE -> Outcome.success(new RegisterReply.IdInUse(retryAfter(error)));
                            default -> error.outcome();
                        })));
    }

    @Override
    public void renew(RenewRequest request, Duration deadline, Consumer<Outcome<RenewReply>> answer) {
        connection.call(
                ExecutorServiceGrpc.getRenewMethod(),
                request,
                deadline,
                result -> answer.accept(outcome(result, RenewReply.Renewed::new, error -> switch (error.reason()) {
                    case NOT_REGISTERED -> Outcome.success(new RenewReply.NotRegistered());
                    case ID_IN_USE -> Outcome.success(new RenewReply.IdInUse(retryAfter(error)));
                    default -> error.outcome();
                })));
    }

    @Override
    public void release(ReleaseRequest request, Duration deadline, Consumer<Outcome<ReleaseResponse>> answer) {
        connection.call(
                ExecutorServiceGrpc.getReleaseMethod(),
                request,
                deadline,
                result -> answer.accept(outcome(result, Function.identity(), CallError::outcome)));
    }

    @Override
    public void deregister(DeregisterRequest request, Duration deadline, Consumer<Outcome<DeregisterResponse>> answer) {
        connection.call(
                ExecutorServiceGrpc.getDeregisterMethod(),
                request,
                deadline,
                result -> answer.accept(outcome(result, Function.identity(), CallError::outcome)));
    }

    @Override
    public AssignmentStream watchAssignments(
            WatchAssignmentsRequest request, Consumer<AssignmentDelivery> onDelivery, Consumer<Outcome.Fault> onEnd) {
        Connection.Open stream = connection.stream(
                ExecutorServiceGrpc.getWatchAssignmentsMethod(),
                request,
                Connection.Via.LEADER,
                onDelivery,
                error -> onEnd.accept(error.fault()));
        return stream::cancel;
    }

    private static <A, R> Outcome<R> outcome(
            Connection.Result<A> result, Function<A, R> onAnswer, Function<CallError, Outcome<R>> onError) {
        return switch (result) {
            case Connection.Result.Answer<A> answer -> Outcome.success(onAnswer.apply(answer.value()));
            case Connection.Result.Failed<A> failed -> onError.apply(failed.error());
        };
    }

    private static Duration retryAfter(CallError error) {
        try {
            return Duration.ofMillis(Long.parseLong(error.metadata().getOrDefault("retry_after_millis", "")));
        } catch (NumberFormatException e) {
            return DEFAULT_RETRY_AFTER;
        }
    }
}
