package io.shardwright.sim.plan;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * One fault.
 *
 * @param start nanoseconds since the beginning of the run
 * @param length nanoseconds until it is undone; 0 where there is nothing to undo
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
        SLOW(1),
        /** Nothing passes between two machines. */
        CUT(2),
        /** Nothing passes from the first machine to the second. */
        CUT_ONE_WAY(2),
        /** Messages between two machines get lost with the probability of the amount. */
        LOSS(2),
        /** Messages between two machines take longer by the amount in milliseconds. */
        DELAY(2),
        /** All connections between two machines are reset. */
        RESET(2),
        /** The monotonic clock of a process runs at the rate of the amount. */
        CLOCK_RATE(1),
        /** The wall clock of a process jumps by the amount in seconds. */
        WALL_STEP(1),
        /** The etcd cluster has no leader for the length. */
        ETCD_LEADER(0),
        /** An etcd member is down for the length. */
        ETCD_MEMBER(1),
        /** Answers of etcd to writes get lost with the probability of the amount. */
        ETCD_ANSWERS(0),
        /** etcd refuses writes for want of room. */
        ETCD_FULL(0),
        /** Watches of etcd miss events with the probability of the amount, and say nothing of it. */
        ETCD_DEAF(0),
        /** etcd answers reads of the newest state with an older one, with the probability of the amount. */
        ETCD_STALE(0),
        /** etcd acknowledges the next change of the state that would be stored, and loses it. */
        ETCD_FORGETS(0),
        /** etcd forgets its history. */
        ETCD_COMPACT(0),
        /** The application of an executor starts and stops shards slowly, up to the amount in seconds. */
        SLOW_SHARDS(1),
        /** Starts of shards fail with the probability of the amount. */
        FAILING_STARTS(1),
        /** A further process with the id of an executor, or with the address of a replica, is started. */
        TWIN(1),
        /**
         * A replica is stopped, and started again after the length with a version whose second number is the amount.
         */
        UPGRADE(1),
        /**
         * A replica is stopped, and started again after the length with another executor lease of the fixed namespace
         * in its configuration: the amount in seconds.
         */
        CONFIGURE(1),
        /** An operator drains the shard of the fixed namespace whose number is the amount, and takes it back. */
        DRAIN_SHARD(0),
        /** An operator drains the ephemeral shard whose number is the amount, and takes it back. */
        DRAIN_EPHEMERAL(0),
        /** An operator drains the host of an executor, and takes it back. */
        DRAIN_HOST(1),
        /** Between two machines pass only so many bytes per second as the amount says; the rest queues up. */
        BANDWIDTH(2),
        /** A machine takes a message of a stream only every so many milliseconds as the amount says. */
        SLOW_READER(1),
        /** An operator moves leadership to a replica. */
        TRANSFER(1),
        /** An executor dies, and comes back after the length under an id that nobody has used. */
        RENAME(1),
        /** An executor is asked to stop, but its application stops no shard until the end of the length. */
        HANGING_STOP(1),
        /** A replica dies, and another program answers at its address for the length. */
        STRANGER(1);

        private final int targets;

        Kind(int targets) {
            this.targets = targets;
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

    /** Checks that the kind has its targets. */
    public Fault {
        targets = List.copyOf(targets);
        if (targets.size() != kind.targets()) {
            throw new IllegalArgumentException(
                    "fault " + kind + " names " + targets + "; it needs " + kind.targets() + " targets");
        }
        if (start < 0 || length < 0 || !Double.isFinite(amount)) {
            throw new IllegalArgumentException("fault " + kind + ": start=" + start + ", length=" + length
                    + " and amount=" + amount + " must be finite and not negative");
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

    /** Reads a line of a plan file; empty where it is not one. */
    static Optional<Fault> parse(String line) {
        String[] words = line.trim().split("\\s+");
        if (words.length < 4) {
            return Optional.empty();
        }
        try {
            Kind kind = Kind.valueOf(words[2]);
            return Optional.of(new Fault(
                    nanos(words[0]),
                    nanos(words[1].substring(1)),
                    kind,
                    List.of(words).subList(3, words.length - 1),
                    Double.parseDouble(words[words.length - 1])));
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }

    private static long nanos(String text) {
        String number = text.substring(0, text.indexOf("ms"));
        int dot = number.indexOf('.');
        return Long.parseLong(number.substring(0, dot)) * MILLI + Long.parseLong(number.substring(dot + 1));
    }
}
