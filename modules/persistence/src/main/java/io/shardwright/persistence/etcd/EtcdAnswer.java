package io.shardwright.persistence.etcd;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.shardwright.domain.Outcome;
import io.shardwright.domain.Scheduler;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/** Turns the end of one call into exactly one answer on the loop. */
final class EtcdAnswer<M, T> implements StreamObserver<M> {

    private final Function<M, Outcome<T>> success;
    private final Function<Throwable, Outcome<T>> failure;
    private final Predicate<Throwable> sentAgain;
    private final Scheduler loop;
    private final Consumer<Outcome<T>> answer;
    private final AtomicBoolean answered = new AtomicBoolean();

    /** @param sentAgain asked of a failure, whether another attempt of the same call will answer */
    EtcdAnswer(
            Function<M, Outcome<T>> success,
            Function<Throwable, Outcome<T>> failure,
            Predicate<Throwable> sentAgain,
            Scheduler loop,
            Consumer<Outcome<T>> answer) {
        this.success = success;
        this.failure = failure;
        this.sentAgain = sentAgain;
        this.loop = loop;
        this.answer = answer;
    }

    @Override
    public void onNext(M response) {
        answer(success.apply(response));
    }

    @Override
    public void onError(Throwable thrown) {
        if (!sentAgain.test(thrown)) {
            answer(failure.apply(thrown));
        }
    }

    @Override
    public void onCompleted() {
        answer(failure.apply(Status.INTERNAL
                .withDescription("etcd ended the call without an answer")
                .asRuntimeException()));
    }

    private void answer(Outcome<T> outcome) {
        if (answered.compareAndSet(false, true)) {
            loop.execute(() -> answer.accept(outcome));
        }
    }
}
