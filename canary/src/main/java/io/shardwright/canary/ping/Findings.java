package io.shardwright.canary.ping;

import io.shardwright.canary.check.Claim;
import io.shardwright.canary.check.Gaps;
import io.shardwright.canary.check.OwnershipHistory;
import io.shardwright.canary.check.Violation;
import io.shardwright.proto.canary.v1.PingResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What the answers said so far. Thread-safe. Times are {@link System#nanoTime()}. */
public final class Findings {

    private static final int KEPT_PROOFS = 20;

    private final OwnershipHistory history = new OwnershipHistory();
    private final Gaps gaps = new Gaps();
    private final List<Violation> violations = new ArrayList<>();
    private Counts counts = new Counts(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    /**
     * What was counted.
     *
     * @param pings pings of random shards
     * @param ok pings that the owner answered
     * @param notOwned pings that the executor denied
     * @param unreachable pings that nobody answered
     * @param noOwner shards for which the shard manager named nobody
     * @param created ephemeral shards that pings created
     * @param moves changes of an owner in the routing table
     * @param doubleOwners proven double owners
     * @param epochFalls proven falls of an epoch
     * @param fenceRefusals writes that a fence refused
     */
    public record Counts(
            long pings,
            long ok,
            long notOwned,
            long unreachable,
            long noOwner,
            long created,
            long moves,
            long doubleOwners,
            long epochFalls,
            long fenceRefusals) {

        /** Returns the pings that failed. */
        public long failed() {
            return notOwned + unreachable + noOwner;
        }

        /** Says whether a promise was broken. */
        public boolean violated() {
            return doubleOwners + epochFalls > 0;
        }
    }

    /** A ping of a random shard ended. */
    synchronized void pinged(PingOutcome outcome) {
        Counts c = counts;
        counts = switch (outcome) {
            case PingOutcome.Owned ignored -> with(c.pings + 1, c.ok + 1, c.notOwned, c.unreachable, c.noOwner);
            case PingOutcome.NotOwned ignored -> with(c.pings + 1, c.ok, c.notOwned + 1, c.unreachable, c.noOwner);
            case PingOutcome.Unreachable ignored -> with(c.pings + 1, c.ok, c.notOwned, c.unreachable + 1, c.noOwner);
            case PingOutcome.NoOwner ignored -> with(c.pings + 1, c.ok, c.notOwned, c.unreachable, c.noOwner + 1);
        };
    }

    private Counts with(long pings, long ok, long notOwned, long unreachable, long noOwner) {
        Counts c = counts;
        return new Counts(
                pings,
                ok,
                notOwned,
                unreachable,
                noOwner,
                c.created,
                c.moves,
                c.doubleOwners,
                c.epochFalls,
                c.fenceRefusals);
    }

    private void add(long created, long moves, long doubleOwners, long epochFalls, long fenceRefusals) {
        Counts c = counts;
        counts = new Counts(
                c.pings,
                c.ok,
                c.notOwned,
                c.unreachable,
                c.noOwner,
                c.created + created,
                c.moves + moves,
                c.doubleOwners + doubleOwners,
                c.epochFalls + epochFalls,
                c.fenceRefusals + fenceRefusals);
    }

    /** An ephemeral shard was asked for, for the first time. */
    synchronized void created() {
        add(1, 0, 0, 0, 0);
    }

    /** Owners changed. */
    synchronized void moved(int shards) {
        add(0, shards, 0, 0, 0);
    }

    /** A fence refused a write. */
    public synchronized void fenceRefused() {
        add(0, 0, 0, 0, 1);
    }

    /** An executor claims a shard. */
    synchronized void claimed(String shard, PingResponse answer, long from, long until) {
        Claim claim = new Claim(shard, answer.getExecutorId(), answer.getProcessId(), answer.getEpoch(), from, until);
        for (Violation violation : history.add(claim)) {
            switch (violation.kind()) {
                case DOUBLE_OWNER -> add(0, 0, 1, 0, 0);
                case EPOCH_FALL -> add(0, 0, 0, 1, 0);
            }
            if (violations.size() < KEPT_PROOFS) {
                violations.add(violation);
            }
        }
    }

    /** The owner that the table names answered for the shard. */
    synchronized void served(String shard, long until) {
        gaps.owned(shard, until);
    }

    /** Nobody answered for the shard. */
    synchronized void notServed(String shard, long from) {
        gaps.failed(shard, from);
    }

    /** A shard is gone for good. */
    synchronized void forget(String shard) {
        history.forget(shard);
        gaps.forget(shard);
    }

    /** Returns the counts. */
    public synchronized Counts counts() {
        return counts;
    }

    /** Returns the first violations. */
    public synchronized List<Violation> violations() {
        return List.copyOf(violations);
    }

    /** Returns the shards without an owner that answers. */
    public synchronized Set<String> unserved() {
        return gaps.open();
    }

    /** Returns the longest time that a shard had no owner that answers. */
    public synchronized Duration longestUnserved() {
        return gaps.worst(System.nanoTime());
    }

    /** Returns how many shards had no owner that answers for longer than this. */
    public synchronized int unservedLongerThan(Duration allowed) {
        return gaps.longerThan(allowed, System.nanoTime());
    }
}
