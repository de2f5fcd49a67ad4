package io.shardwright.domain;

/**
 * How an asynchronous call ended, as far as the caller can know.
 *
 * <p>The third case is the one that makes distributed systems hard: a call whose answer was lost may have taken effect,
 * and may still take effect after the caller learned nothing. It is a value of its own so that no caller can forget it.
 *
 * @param <T> what a successful call returns; never null
 */
public sealed interface Outcome<T> {

    /** The call took effect. */
    record Success<T>(T value) implements Outcome<T> {}

    /** The call did not take effect and never will. */
    record Failure<T>(Fault fault) implements Outcome<T> {}

    /** The call may have taken effect, may still do so, or may never do so. */
    record Unknown<T>(Fault fault) implements Outcome<T> {}

    /**
     * Why a call did not answer well.
     *
     * @param kind what the caller can do about it
     * @param message a sentence that names what failed; holds no secret
     */
    record Fault(Kind kind, String message) {

        /** What the caller can do about a fault. */
        public enum Kind {
            /** The request itself is wrong; sending it again is useless. */
            INVALID,
            /** The revision that was asked for is compacted or lies in the future. */
            OUT_OF_RANGE,
            /** What was named does not exist (a lease that ended). */
            NOT_FOUND,
            /** What was to be created exists (a lease id that is taken). */
            EXISTS,
            /** The other side cannot answer now; try later. */
            UNAVAILABLE,
            /** The other side has no room left (full disk, quota alarm); an operator must act. */
            NO_SPACE,
            /** The caller may not do this. */
            DENIED,
            /** A stored value cannot be read; it is refused, never guessed. */
            CORRUPT
        }
    }

    /** Returns a success. */
    static <T> Outcome<T> success(T value) {
        return new Success<>(value);
    }

    /** Returns a failure: the call certainly had no effect. */
    static <T> Outcome<T> failure(Fault.Kind kind, String message) {
        return new Failure<>(new Fault(kind, message));
    }

    /** Returns an unknown outcome. */
    static <T> Outcome<T> unknown(Fault.Kind kind, String message) {
        return new Unknown<>(new Fault(kind, message));
    }
}
