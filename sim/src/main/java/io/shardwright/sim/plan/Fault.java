package io.shardwright.sim.plan;

import io.shardwright.sim.plan.Machines.Who;
import java.util.List;
import java.util.Locale;

/**
 * One fault.
 *
 * @param start nanoseconds since the beginning of the run
 * @param length nanoseconds until it is undone, as far as there is something to undo; 0: at once, but for the rate of a
 *     clock, which stays
 * @param kind what happens
 * @param targets names of the machines it happens to, as many as the kind wants
 * @param amount how strong it is, in the unit of the kind
 */
public record Fault(long start, long length, Kind kind, List<String> targets, double amount)
        implements Comparable<Fault> {

    private static final long MILLI = 1_000_000L;

    /** What can happen, to how many targets. */
    public enum Kind {
        /** A process dies without a word, its machine resets the connections; it comes back after the length. */
        KILL(1),
        /** A machine dies, nobody resets anything; it comes back after the length. */
        LOSE(1),
        /** A process is asked to stop, and is started again after the length. */
        STOP(1),
        /** A process runs nothing for the length; its clocks go on. */
        PAUSE(1),
        /** Each task of a process takes the amount in microseconds. */
        SLOW(1, Amount.MICROSECONDS),
        /** Nothing passes between two machines. */
        CUT(2),
        /** Nothing passes from the first machine to the second. */
        CUT_ONE_WAY(2),
        /** Messages between two machines get lost with the probability of the amount. */
        LOSS(2, Amount.PROBABILITY),
        /** Messages between two machines take longer by the amount in milliseconds. */
        DELAY(2, Amount.MILLISECONDS),
        /** All connections between two machines are reset. */
        RESET(2),
        /** The monotonic clock of a process runs at the rate of the amount. */
        CLOCK_RATE(1, Amount.RATE),
        /** The wall clock of a process jumps by the amount in seconds. */
        WALL_STEP(1, Amount.STEP),
        /** The etcd cluster has no leader for the length. */
        ETCD_LEADER(0),
        /** An etcd member is down for the length. */
        ETCD_MEMBER(Who.ETCD_MEMBER),
        /** Answers of etcd to writes get lost with the probability of the amount. */
        ETCD_ANSWERS(0, Amount.PROBABILITY),
        /** etcd refuses writes for want of room. */
        ETCD_FULL(0),
        /** Watches of etcd miss events with the probability of the amount, and say nothing of it. */
        ETCD_DEAF(0, Amount.PROBABILITY),
        /** etcd answers reads of the newest state with an older one, with the probability of the amount. */
        ETCD_STALE(0, Amount.PROBABILITY),
        /** etcd acknowledges the next change of the state that would be stored, and loses it. */
        ETCD_FORGETS(0),
        /** etcd forgets its history. */
        ETCD_COMPACT(0),
        /** The application of an executor starts and stops shards slowly, up to the amount in seconds. */
        SLOW_SHARDS(Who.EXECUTOR, Amount.SECONDS),
        /** Starts of shards fail with the probability of the amount. */
        FAILING_STARTS(Who.EXECUTOR, Amount.PROBABILITY),
        /** A further process with the id of an executor, or with the address of a replica, is started. */
        TWIN(Who.ORIGINAL),
        /**
         * A replica is stopped, and started again after the length with a version whose second number is the amount.
         */
        UPGRADE(Who.REPLICA, Amount.NUMBER),
        /**
         * A replica is stopped, and started again after the length with another executor lease of the fixed namespace
         * in its configuration: the amount in seconds.
         */
        CONFIGURE(Who.REPLICA, Amount.LEASE),
        /** An operator drains the shard of the fixed namespace whose number is the amount, and takes it back. */
        DRAIN_SHARD(0, Amount.NUMBER),
        /** An operator drains the ephemeral shard whose number is the amount, and takes it back. */
        DRAIN_EPHEMERAL(0, Amount.NUMBER),
        /** An operator drains the host of an executor, and takes it back. */
        DRAIN_HOST(Who.EXECUTOR),
        /** Between two machines pass only so many bytes per second as the amount says; the rest queues up. */
        BANDWIDTH(2, Amount.BYTES_PER_SECOND),
        /** A machine takes a message of a stream only every so many milliseconds as the amount says. */
        SLOW_READER(Who.ANYBODY, Amount.MILLISECONDS),
        /** An operator moves leadership to a replica. */
        TRANSFER(Who.REPLICA),
        /** An executor dies, and comes back after the length under an id that nobody has used. */
        RENAME(Who.EXECUTOR),
        /** An executor is asked to stop, but its application stops no shard until the end of the length. */
        HANGING_STOP(Who.EXECUTOR),
        /** A replica dies, and another program answers at its address for the length. */
        STRANGER(Who.REPLICA);

        private final int targets;
        private final Who who;
        private final Amount amount;

        /** Without an amount. */
        Kind(int targets) {
            this(targets, Amount.UNUSED);
        }

        /** One target is a process of ours, two are the ends of a link. */
        Kind(int targets, Amount amount) {
            this(targets, targets == 2 ? Who.ANYBODY : Who.PROCESS, amount);
        }

        /** One target of a certain role, without an amount. */
        Kind(Who who) {
            this(who, Amount.UNUSED);
        }

        /** One target of a certain role. */
        Kind(Who who, Amount amount) {
            this(1, who, amount);
        }

        Kind(int targets, Who who, Amount amount) {
            this.targets = targets;
            this.who = who;
            this.amount = amount;
        }

        /** Returns who can be a target. */
        Who who() {
            return who;
        }

        /** Says whether an amount makes sense for this kind. */
        public boolean allows(double value) {
            return amount.allows(value);
        }

        /** Says whether it takes the process of its target away until it ends. */
        public boolean takesDown() {
            return switch (this) {
                case KILL, LOSE, STOP, UPGRADE, CONFIGURE, RENAME, HANGING_STOP, STRANGER -> true;
                default -> false;
            };
        }

        /** Says whether it is an operator's doing. */
        public boolean isOperators() {
            return this == DRAIN_SHARD || this == DRAIN_EPHEMERAL || this == DRAIN_HOST || this == TRANSFER;
        }

        /** Returns how many targets a fault of this kind names. */
        public int targets() {
            return targets;
        }
    }

    /** Checks that the kind has its targets, and an amount that makes sense. */
    public Fault {
        targets = List.copyOf(targets);
        if (targets.size() != kind.targets()) {
            throw new IllegalArgumentException(
                    "fault " + kind + " names " + targets + "; it needs " + kind.targets() + " targets");
        }
        if (start < 0 || length < 0) {
            throw new IllegalArgumentException(
                    "fault " + kind + ": start=" + start + " and length=" + length + " must not be negative");
        }
        if (!kind.allows(amount)) {
            throw new IllegalArgumentException("amount " + amount + " of " + kind + " must be " + kind.amount.rule());
        }
    }

    /** Returns when it is undone. */
    public long end() {
        return start + length;
    }

    /** Returns this fault with another length. */
    public Fault lasting(long other) {
        return new Fault(start, other, kind, targets, amount);
    }

    @Override
    public int compareTo(Fault other) {
        int byStart = Long.compare(start, other.start);
        return byStart != 0 ? byStart : toString().compareTo(other.toString());
    }

    /** Returns the line of a plan file, for example {@code 12500.000ms +3200.000ms CUT replica-1 etcd-0 0.0}. */
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%sms +%sms %s%s %s",
                millis(start),
                millis(length),
                kind,
                targets.isEmpty() ? "" : " " + String.join(" ", targets),
                amount);
    }

    private static String millis(long nanos) {
        return String.format(Locale.ROOT, "%d.%06d", nanos / MILLI, nanos % MILLI);
    }
}
