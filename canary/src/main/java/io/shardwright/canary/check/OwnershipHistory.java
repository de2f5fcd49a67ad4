package io.shardwright.canary.check;

import io.shardwright.canary.check.Violation.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds double owners in the answers of executors, without comparing clocks of two machines.
 *
 * <p>All times are of the process that asked. A process that claimed a shard at epoch e in an answer that came before a
 * moment, and again at e in an answer that was asked for after it, owned the shard at that moment: an epoch is never
 * given twice. So two processes owned the shard together when
 *
 * <ul>
 *   <li>a whole question-and-answer window of one lies inside what the other owned throughout (the sandwich),
 *   <li>what both owned throughout overlaps, or
 *   <li>two executors claim the same epoch, whenever that was.
 * </ul>
 *
 * <p>And an epoch fell when a claim was asked for after an answer with a higher one. Answers may be added in any order.
 * Memory per shard is bounded; what is forgotten can hide a violation, but never makes one up. Not thread-safe.
 */
public final class OwnershipHistory {

    private static final int TENURES_PER_SHARD = 8;
    private static final int WINDOWS_PER_TENURE = 64;

    private final Map<String, Shard> shards = new HashMap<>();

    /** Adds a claim; returns what it proves that was not reported before. */
    public List<Violation> add(Claim claim) {
        return shards.computeIfAbsent(claim.shard(), Shard::new).add(claim);
    }

    /** Forgets a shard that is gone for good. */
    public void forget(String shard) {
        shards.remove(shard);
    }

    /** Returns the number of shards with claims. */
    public int size() {
        return shards.size();
    }

    private static final class Shard {
        private final String name;
        private final List<Tenure> tenures = new ArrayList<>();
        private final Set<String> reported = new HashSet<>();

        Shard(String name) {
            this.name = name;
        }

        List<Violation> add(Claim claim) {
            Tenure tenure = tenureOf(claim);
            tenure.add(claim);
            List<Violation> found = new ArrayList<>();
            for (Tenure other : tenures) {
                if (other != tenure) {
                    compare(tenure, other).filter(this::isNew).ifPresent(found::add);
                }
            }
            return found;
        }

        private Tenure tenureOf(Claim claim) {
            for (Tenure tenure : tenures) {
                if (tenure.isOf(claim)) {
                    return tenure;
                }
            }
            if (tenures.size() == TENURES_PER_SHARD) {
                tenures.removeFirst();
            }
            Tenure tenure = new Tenure(claim);
            tenures.add(tenure);
            return tenure;
        }

        private Optional<Violation> compare(Tenure one, Tenure other) {
            if (!one.process.equals(other.process)) {
                if (one.epoch == other.epoch && !one.executor.equals(other.executor)) {
                    return Optional.of(
                            new Violation(Kind.DOUBLE_OWNER, name, one + " and " + other + " claim the same epoch"));
                }
                if (one.overlaps(other) || one.surroundsAnyOf(other) || other.surroundsAnyOf(one)) {
                    return Optional.of(
                            new Violation(Kind.DOUBLE_OWNER, name, one + " and " + other + " owned it together"));
                }
            }
            Tenure low = one.epoch < other.epoch ? one : other;
            Tenure high = low == one ? other : one;
            if (low.epoch < high.epoch && low.lastFrom > high.firstUntil) {
                return Optional.of(new Violation(Kind.EPOCH_FALL, name, low + " claims it after " + high + " did"));
            }
            return Optional.empty();
        }

        private boolean isNew(Violation violation) {
            return reported.add(violation.kind() + " " + ordered(violation.proof()));
        }

        /** The same pair is found from both sides. */
        private static String ordered(String proof) {
            List<String> words = new ArrayList<>(List.of(proof.split(" ", -1)));
            words.sort(null);
            return String.join(" ", words);
        }
    }

    /** What one process claimed of a shard at one epoch. */
    private static final class Tenure {
        private final String executor;
        private final String process;
        private final long epoch;
        // It was owned throughout, from the earliest end of a window to the latest start of one.
        private long firstUntil;
        private long lastFrom;
        private final Deque<Claim> windows = new ArrayDeque<>();

        Tenure(Claim claim) {
            this.executor = claim.executor();
            this.process = claim.process();
            this.epoch = claim.epoch();
            this.firstUntil = claim.until();
            this.lastFrom = claim.from();
        }

        boolean isOf(Claim claim) {
            return epoch == claim.epoch() && process.equals(claim.process()) && executor.equals(claim.executor());
        }

        void add(Claim claim) {
            firstUntil = Math.min(firstUntil, claim.until());
            lastFrom = Math.max(lastFrom, claim.from());
            if (windows.size() == WINDOWS_PER_TENURE) {
                windows.removeFirst();
            }
            windows.add(claim);
        }

        boolean overlaps(Tenure other) {
            return Math.max(firstUntil, other.firstUntil) < Math.min(lastFrom, other.lastFrom);
        }

        boolean surroundsAnyOf(Tenure other) {
            for (Claim window : other.windows) {
                if (firstUntil < window.from() && window.until() < lastFrom) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public String toString() {
            return executor + "/" + process + "@" + epoch;
        }
    }
}
