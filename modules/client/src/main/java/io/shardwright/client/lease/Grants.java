package io.shardwright.client.lease;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the shard manager permits this executor: the latest set, and for each shard in it the moment until which it may
 * run.
 *
 * <p>Rules: an answer is followed if its request is the latest that was answered, whatever process it comes from; an
 * answer to an earlier request counts only if it comes from the followed process (R87, R88). Within one process a set
 * with an older revision is not applied (R85), but the shards that it lists and that are still granted at the same
 * epoch may run longer: the server said so at its own later time. A push is applied only from the followed process;
 * what it adds may run until the end of the lease that this process granted last, and it extends nothing (R92). A push
 * that overtakes the answer which makes its sender the followed process is kept, and applied after that answer: the
 * answer is older, and what it still lists may be wanted back already. No moment ever moves earlier (R89).
 */
final class Grants {

    /**
     * The permission for one shard.
     *
     * @param epoch ownership generation
     * @param runUntil moment of the local monotonic clock
     */
    record Grant(long epoch, long runUntil) {}

    /** What an answer or a push did. */
    sealed interface Change {

        /**
         * The set was applied.
         *
         * @param removed what was granted before and is not granted at that epoch any more
         */
        record Applied(List<Held> removed) implements Change {}

        /** The set is older than the one applied; deadlines may have moved. */
        record Older() implements Change {}

        /** The sender is not the process that is followed. */
        record Foreign() implements Change {}
    }

    /** A pushed set of a process that is not followed yet. */
    private record Ahead(String incarnation, long revision, Collection<Held> shards) {}

    private final double clockTolerance;
    private Optional<Ahead> ahead = Optional.empty();
    private TreeMap<String, Grant> grants = new TreeMap<>();
    private String incarnation = "";
    private long revision;
    private long latestAnswered;
    private long leaseEnd;

    /** @param clockTolerance allowed difference of clock rates, at least 0 and below 1 */
    Grants(double clockTolerance) {
        this.clockTolerance = clockTolerance;
    }

    /**
     * An answer to a registration or a renewal.
     *
     * @param ordinal place of the request among all requests of this process
     * @param sentAt local monotonic time at which the request was sent
     * @param leaseNanos length of the lease
     * @param shards what the answer lists or confirms
     */
    record Answer(
            long ordinal, long sentAt, long leaseNanos, String incarnation, long revision, Collection<Held> shards) {}

    Change answer(Answer answer) {
        long until = answer.sentAt() + (long) (answer.leaseNanos() * (1 - clockTolerance));
        boolean same = answer.incarnation().equals(incarnation);
        if (answer.ordinal() > latestAnswered) {
            latestAnswered = answer.ordinal();
            if (!same) {
                incarnation = answer.incarnation();
                revision = 0;
                leaseEnd = until;
            }
        } else if (!same) {
            return new Change.Foreign();
        }
        leaseEnd = later(leaseEnd, until);
        if (Long.compareUnsigned(answer.revision(), revision) < 0) {
            extend(answer.shards(), until);
            return new Change.Older();
        }
        return catchUp(apply(answer.revision(), answer.shards(), until));
    }

    /** A pushed set. */
    Change push(String from, long pushedRevision, Collection<Held> shards) {
        if (latestAnswered == 0 || !from.equals(incarnation)) {
            boolean older = ahead.filter(known -> known.incarnation().equals(from)
                            && Long.compareUnsigned(known.revision(), pushedRevision) > 0)
                    .isPresent();
            if (!older) {
                ahead = Optional.of(new Ahead(from, pushedRevision, shards));
            }
            return new Change.Foreign();
        }
        return applyPush(pushedRevision, shards);
    }

    private Change.Applied catchUp(Change.Applied answered) {
        Optional<Ahead> newer = ahead.filter(push -> push.incarnation().equals(incarnation));
        if (newer.isEmpty()) {
            return answered;
        }
        ahead = Optional.empty();
        if (!(applyPush(newer.get().revision(), newer.get().shards()) instanceof Change.Applied pushed)) {
            return answered;
        }
        List<Held> removed = new ArrayList<>(answered.removed());
        removed.addAll(pushed.removed());
        return new Change.Applied(removed);
    }

    private Change applyPush(long pushedRevision, Collection<Held> shards) {
        if (Long.compareUnsigned(pushedRevision, revision) < 0) {
            return new Change.Older();
        }
        TreeMap<String, Grant> before = grants;
        Change change = apply(pushedRevision, shards, leaseEnd);
        grants.replaceAll((key, grant) -> {
            @Nullable Grant old = before.get(key);
            return old != null && old.epoch() == grant.epoch() ? old : grant;
        });
        return change;
    }

    private Change.Applied apply(long newRevision, Collection<Held> shards, long until) {
        revision = newRevision;
        TreeMap<String, Grant> next = new TreeMap<>();
        for (Held shard : shards) {
            @Nullable Grant old = grants.get(shard.shardKey());
            long end = old != null && old.epoch() == shard.epoch() ? later(old.runUntil(), until) : until;
            next.put(shard.shardKey(), new Grant(shard.epoch(), end));
        }
        List<Held> removed = new ArrayList<>();
        grants.forEach((key, old) -> {
            @Nullable Grant now = next.get(key);
            if (now == null || now.epoch() != old.epoch()) {
                removed.add(new Held(key, old.epoch()));
            }
        });
        grants = next;
        return new Change.Applied(removed);
    }

    private void extend(Collection<Held> shards, long until) {
        for (Held shard : shards) {
            @Nullable Grant old = grants.get(shard.shardKey());
            if (old != null && old.epoch() == shard.epoch()) {
                grants.put(shard.shardKey(), new Grant(old.epoch(), later(old.runUntil(), until)));
            }
        }
    }

    /**
     * A request was answered without a set: answers to earlier requests do not choose the followed process any more.
     */
    void answeredWithoutSet(long ordinal) {
        latestAnswered = Math.max(latestAnswered, ordinal);
    }

    Optional<Grant> grant(String shardKey) {
        return Optional.ofNullable(grants.get(shardKey));
    }

    boolean covers(String shardKey, long epoch) {
        @Nullable Grant grant = grants.get(shardKey);
        return grant != null && grant.epoch() == epoch;
    }

    SortedMap<String, Grant> all() {
        return grants;
    }

    /** Returns the process that is followed; empty before the first answer. */
    String incarnation() {
        return incarnation;
    }

    long revision() {
        return revision;
    }

    /** Forgets everything that is granted: another process has the executor id. */
    void clear() {
        grants = new TreeMap<>();
        ahead = Optional.empty();
    }

    private static long later(long a, long b) {
        return a - b > 0 ? a : b;
    }
}
