package io.shardwright.persistence.history;

import io.shardwright.persistence.history.Call.Answer;
import io.shardwright.persistence.history.Call.Seen;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Turns a history that can be explained into one that cannot. Each is a defect that a store could have. */
enum Doctoring {
    A_READ_SEES_AN_OLDER_WRITE {
        @Override
        Optional<List<Call>> apply(List<Call> history) {
            for (Call reader : history) {
                for (Call writer : history) {
                    if (reader.answer() instanceof Answer.Read(long revision, Optional<Seen> seen)
                            && seen.isPresent()
                            && writer.answer() instanceof Answer.Wrote(long older, long version)
                            && writer.key().equals(reader.key())
                            && older < seen.get().modRevision()
                            && isAnswered(history, seen.get().value())) {
                        Seen stale = new Seen(writer.value(), seen.get().createRevision(), older, version);
                        return replaced(history, reader, new Answer.Read(revision, Optional.of(stale)));
                    }
                }
            }
            return Optional.empty();
        }
    },
    A_READ_GOES_BACK_IN_TIME {
        @Override
        Optional<List<Call>> apply(List<Call> history) {
            for (Call reader : history) {
                for (Call earlier : history) {
                    if (reader.answer() instanceof Answer.Read(long revision, Optional<Seen> seen)
                            && seen.isPresent()
                            && earlier.ended() < reader.begun()
                            && earlier.position().isPresent()
                            && earlier.position().getAsLong() > seen.get().modRevision()) {
                        return replaced(
                                history, reader, new Answer.Read(seen.get().modRevision(), seen));
                    }
                }
            }
            return Optional.empty();
        }
    },
    A_READ_SEES_A_WRITE_THAT_WAS_NOT_YET_CALLED {
        @Override
        Optional<List<Call>> apply(List<Call> history) {
            for (Call reader : history) {
                for (Call writer : history) {
                    if (reader.answer() instanceof Answer.Read(long revision, Optional<Seen> seen)
                            && seen.isPresent()
                            && writer.answer() instanceof Answer.Wrote(long newer, long version)
                            && writer.key().equals(reader.key())
                            && writer.begun() > reader.ended()) {
                        Seen early = new Seen(writer.value(), seen.get().createRevision(), newer, version);
                        return replaced(history, reader, new Answer.Read(newer, Optional.of(early)));
                    }
                }
            }
            return Optional.empty();
        }
    },
    A_READ_SEES_WHAT_NOBODY_WROTE {
        @Override
        Optional<List<Call>> apply(List<Call> history) {
            for (Call reader : history) {
                if (reader.answer() instanceof Answer.Read(long revision, Optional<Seen> seen) && seen.isPresent()) {
                    Seen phantom = new Seen(
                            "phantom",
                            seen.get().createRevision(),
                            seen.get().modRevision(),
                            seen.get().version());
                    return replaced(history, reader, new Answer.Read(revision, Optional.of(phantom)));
                }
            }
            return Optional.empty();
        }
    },
    A_FAILED_WRITE_HAPPENED {
        @Override
        Optional<List<Call>> apply(List<Call> history) {
            for (Call writer : history) {
                for (Call reader : history) {
                    if (writer.answer() instanceof Answer.Wrote
                            && reader.answer() instanceof Answer.Read(long revision, Optional<Seen> seen)
                            && seen.filter(kv -> kv.value().equals(writer.value()))
                                    .isPresent()) {
                        return replaced(history, writer, new Answer.Failed());
                    }
                }
            }
            return Optional.empty();
        }
    },
    TWO_WRITES_IN_THE_WRONG_ORDER {
        @Override
        Optional<List<Call>> apply(List<Call> history) {
            for (Call first : history) {
                for (Call second : history) {
                    if (first.answer() instanceof Answer.Wrote one
                            && second.answer() instanceof Answer.Wrote two
                            && first.ended() < second.begun()) {
                        return replaced(history, first, two).flatMap(swapped -> replaced(swapped, second, one));
                    }
                }
            }
            return Optional.empty();
        }
    },
    TWO_WRITES_AT_ONE_REVISION {
        @Override
        Optional<List<Call>> apply(List<Call> history) {
            for (Call first : history) {
                for (Call second : history) {
                    if (first.answer() instanceof Answer.Wrote one
                            && second.answer() instanceof Answer.Wrote two
                            && !first.equals(second)) {
                        return replaced(history, second, new Answer.Wrote(one.revision(), two.version()));
                    }
                }
            }
            return Optional.empty();
        }
    },
    A_CONDITION_THAT_DID_NOT_HOLD_IS_OVERLOOKED {
        @Override
        Optional<List<Call>> apply(List<Call> history) {
            long newest = history.stream()
                    .map(Call::position)
                    .mapToLong(position -> position.orElse(0))
                    .max()
                    .orElse(0);
            for (Call call : history) {
                if (call.isWrite()
                        && call.answer() instanceof Answer.Read(long revision, Optional<Seen> seen)
                        && seen.isPresent()
                        && isAnswered(history, seen.get().value())) {
                    return replaced(
                            history,
                            call,
                            new Answer.Wrote(newest + 1, seen.get().version() + 1));
                }
            }
            return Optional.empty();
        }
    },
    A_VERSION_DOES_NOT_GROW {
        @Override
        Optional<List<Call>> apply(List<Call> history) {
            for (Call writer : history) {
                if (writer.answer() instanceof Answer.Wrote(long revision, long version) && version > 1) {
                    for (Call earlier : history) {
                        if (earlier.answer() instanceof Answer.Wrote wrote
                                && wrote.revision() < revision
                                && earlier.key().equals(writer.key())) {
                            return replaced(history, writer, new Answer.Wrote(revision, wrote.version()));
                        }
                    }
                }
            }
            return Optional.empty();
        }
    };

    /** Returns a doctored copy; empty if the history has no place for it. */
    abstract Optional<List<Call>> apply(List<Call> history);

    /** Tells whether a write is known to have happened without what somebody read. */
    private static boolean isAnswered(List<Call> history, String value) {
        return history.stream().anyMatch(call -> call.value().equals(value) && call.answer() instanceof Answer.Wrote);
    }

    private static Optional<List<Call>> replaced(List<Call> history, Call call, Answer answer) {
        List<Call> copy = new ArrayList<>(history);
        copy.set(copy.indexOf(call), call.with(answer));
        return Optional.of(copy);
    }
}
