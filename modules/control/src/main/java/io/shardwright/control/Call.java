package io.shardwright.control;

import java.util.function.Consumer;

/** Whoever waits for the answer of a call. Called on the event loop, once. */
@FunctionalInterface
public interface Call<T> extends Consumer<Reply<T>> {

    /** Answers well. */
    default void ok(T value) {
        accept(Reply.ok(value));
    }

    /** Refuses. */
    default void refuse(Reply.Refusal refusal) {
        accept(Reply.refused(refusal));
    }
}
