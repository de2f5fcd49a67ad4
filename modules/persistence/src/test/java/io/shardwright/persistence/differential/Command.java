package io.shardwright.persistence.differential;

import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.KeyRange;
import io.shardwright.persistence.Txn;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One call of a sequence, with names for what is known only when it runs: revisions ({@link Rev}), leases (slots 1 to
 * 3; 0 is no lease) and watches (the n-th of those that are open).
 */
sealed interface Command {

    /** Returns the call as people read it, with the revisions that it came to. */
    String show(Situation situation);

    /** Tells whether the next call may be made before this one is answered. */
    default boolean onlyReads() {
        return false;
    }

    record Read(KeyRange range, Rev at, int limit, boolean keysOnly) implements Command {
        @Override
        public boolean onlyReads() {
            return true;
        }

        @Override
        public String show(Situation situation) {
            return "read " + Command.text(range)
                    + (at.anchor() == Rev.Anchor.NONE ? "" : " at " + situation.show(at))
                    + (limit == 0 ? "" : " limit " + limit)
                    + (keysOnly ? " keys only" : "");
        }
    }

    /**
     * A transaction.
     *
     * @param repeat each list of operations is made so many times as long; for the limit of operations
     */
    record Transaction(List<Condition> conditions, List<Step> then, List<Step> otherwise, int repeat)
            implements Command {
        @Override
        public boolean onlyReads() {
            return then.stream().allMatch(Step.ReadKeys.class::isInstance)
                    && otherwise.stream().allMatch(Step.ReadKeys.class::isInstance);
        }

        @Override
        public String show(Situation situation) {
            String guard = conditions.isEmpty()
                    ? "txn"
                    : conditions.stream()
                            .map(condition -> condition.show(situation))
                            .collect(Collectors.joining(" and ", "txn if ", ""));
            return guard
                    + steps(" then ", then, situation)
                    + steps(" else ", otherwise, situation)
                    + (repeat == 1 ? "" : ", operations " + repeat + " times");
        }

        private static String steps(String word, List<Step> steps, Situation situation) {
            return steps.isEmpty()
                    ? ""
                    : steps.stream()
                            .map(step -> step.show(situation))
                            .collect(Collectors.joining(", ", word + "{", "}"));
        }
    }

    record Compact(Rev at) implements Command {
        @Override
        public String show(Situation situation) {
            return "compact " + situation.show(at);
        }
    }

    record Grant(int slot, long ttlSeconds) implements Command {
        @Override
        public String show(Situation situation) {
            return "grant lease " + slot + " for " + ttlSeconds + " s";
        }
    }

    record KeepAlive(int slot) implements Command {
        @Override
        public boolean onlyReads() {
            return true;
        }

        @Override
        public String show(Situation situation) {
            return "keep lease " + slot + " alive";
        }
    }

    record TimeToLive(int slot) implements Command {
        @Override
        public boolean onlyReads() {
            return true;
        }

        @Override
        public String show(Situation situation) {
            return "time to live of lease " + slot;
        }
    }

    record Revoke(int slot) implements Command {
        @Override
        public String show(Situation situation) {
            return "revoke lease " + slot;
        }
    }

    record Watch(KeyRange range, Rev from) implements Command {
        @Override
        public String show(Situation situation) {
            return "watch " + Command.text(range) + " from " + situation.show(from);
        }
    }

    record Cancel(int pick) implements Command {
        @Override
        public String show(Situation situation) {
            return "cancel watch " + pick;
        }
    }

    /** One operation of a transaction. */
    sealed interface Step {

        String show(Situation situation);

        record Put(Bytes key, Bytes value, int slot) implements Step {
            @Override
            public String show(Situation situation) {
                return "put " + key + "=" + value + (slot == 0 ? "" : " lease " + slot);
            }
        }

        record Delete(KeyRange range) implements Step {
            @Override
            public String show(Situation situation) {
                return "delete " + Command.text(range);
            }
        }

        record ReadKeys(Read read) implements Step {
            @Override
            public String show(Situation situation) {
                return read.show(situation);
            }
        }
    }

    /** One compare of a transaction; which of the last three counts depends on the target. */
    record Condition(Bytes key, Txn.Target target, Txn.Relation relation, int number, Rev revision, Bytes value) {

        String show(Situation situation) {
            String right =
                    switch (target) {
                        case VERSION -> Integer.toString(number);
                        case LEASE -> "lease " + number;
                        case VALUE -> "'" + value + "'";
                        case MOD_REVISION, CREATE_REVISION -> situation.show(revision);
                    };
            return target + "(" + key + ") " + relation + " " + right;
        }
    }

    static String text(KeyRange range) {
        if (range.isSingle()) {
            return "'" + range.start() + "'";
        }
        return "['" + range.start() + "', " + (range.isOpen() ? "end" : "'" + range.end() + "'") + ")";
    }
}
