package io.shardwright.canary.executor;

import io.grpc.stub.StreamObserver;
import io.shardwright.proto.canary.v1.CanaryServiceGrpc;
import io.shardwright.proto.canary.v1.PingRequest;
import io.shardwright.proto.canary.v1.PingResponse;
import java.util.function.Function;

/** Answers pings. */
final class PingService extends CanaryServiceGrpc.CanaryServiceImplBase {

    private final Function<PingRequest, PingResponse> answer;

    PingService(Function<PingRequest, PingResponse> answer) {
        this.answer = answer;
    }

    @Override
    public void ping(PingRequest request, StreamObserver<PingResponse> observer) {
        observer.onNext(answer.apply(request));
        observer.onCompleted();
    }
}
