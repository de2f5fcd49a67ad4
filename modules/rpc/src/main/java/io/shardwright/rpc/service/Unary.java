package io.shardwright.rpc.service;

import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.shardwright.control.Call;
import io.shardwright.control.Reply;
import io.shardwright.domain.InvalidField;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Runs calls that have one answer. The control plane answers on its event loop; the answer is written from another
 * thread, because a transport may make a writer wait.
 */
final class Unary {

    private final Executor writers;

    Unary(Executor writers) {
        this.writers = writers;
    }

    /**
     * Runs a call.
     *
     * @param action reads the request and asks the control plane; an {@link InvalidField} that it throws is the answer
     * @param encode writes a good answer down
     */
    <A, R> void run(StreamObserver<R> response, Consumer<Call<A>> action, Function<A, R> encode) {
        if (response instanceof ServerCallStreamObserver<R> call) {
            call.setOnCancelHandler(() -> {}); // else writing to a caller that left would throw
        }
        try {
            action.accept(reply -> writers.execute(() -> answer(response, reply, encode)));
        } catch (InvalidField invalid) {
            response.onError(Refusals.status(invalid));
        } catch (StatusRuntimeException refused) {
            response.onError(refused);
        }
    }

    private static <A, R> void answer(StreamObserver<R> response, Reply<A> reply, Function<A, R> encode) {
        switch (reply) {
            case Reply.Ok<A>(A value) -> {
                R message;
                try {
                    message = encode.apply(value);
                } catch (RuntimeException bug) {
                    response.onError(bug);
                    return;
                }
                response.onNext(message);
                response.onCompleted();
            }
            case Reply.Refused<A>(Reply.Refusal why) -> response.onError(Refusals.status(why));
        }
    }
}
