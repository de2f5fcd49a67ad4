package io.shardwright.persistence.history;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * One call of one client and how it ended.
 *
 * @param value what a write writes, and no other call; empty: a read
 * @param expected a write happens only if the key was last written at this revision, 0 if it does not exist; empty:
 *     always
 * @param begun when it was made; times of all clients are one row of numbers
 * @param ended when it was answered
 */
record Call(int client, String key, String value, OptionalLong expected, long begun, long ended, Answer answer) {

    boolean isWrite() {
        return !value.isEmpty();
    }

    Call with(Answer other) {
        return new Call(client, key, value, expected, begun, ended, other);
    }

    /** Returns the store revision that the answer speaks of. */
    OptionalLong position() {
        return switch (answer) {
            case Answer.Wrote wrote -> OptionalLong.of(wrote.revision());
            case Answer.Read read -> OptionalLong.of(read.revision());
            case Answer.Failed failed -> OptionalLong.empty();
            case Answer.Lost lost -> OptionalLong.empty();
        };
    }

    /** How a call ended. */
    sealed interface Answer {

        /** It wrote. */
        record Wrote(long revision, long version) implements Answer {}

        /** It read; also a conditional write whose condition did not hold. */
        record Read(long revision, Optional<Seen> seen) implements Answer {}

        /** It did not happen and never will. */
        record Failed() implements Answer {}

        /** Nobody knows. */
        record Lost() implements Answer {}
    }

    /** A key as it was read. */
    record Seen(String value, long createRevision, long modRevision, long version) {}
}
