package io.shardwright.sim.shrink;

import io.shardwright.sim.check.Violation;
import io.shardwright.sim.cluster.Simulation;
import io.shardwright.sim.plan.Fault;
import io.shardwright.sim.plan.Plan;
import io.shardwright.sim.plan.Shape;
import io.shardwright.sim.plan.Shape.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Finds a smaller plan that violates the same invariant: less time, fewer faults, fewer machines, shorter and weaker
 * faults.
 *
 * <p>A plan is tried by running it, and each run ends soon after the time of the violation that is known. What was
 * drawn from the seed comes out differently in a smaller plan, so a candidate that runs shortly is tried with many
 * seeds. That is why the first attempts are to do without the distant past: what is left then runs fast.
 */
public final class Shrinker {

    private static final long MILLI = 1_000_000L;
    private static final long SECOND = 1_000 * MILLI;

    /** How much later than before the violation may come in a smaller plan. */
    private static final long MARGIN = 2 * SECOND;

    /** What a candidate may cost: its seeds together run for so long, the first one in any case. */
    private static final long TRIED = 1_200 * SECOND;

    private static final int MOST_SEEDS = 24;

    /** With at most so many faults a candidate is tried with a few seeds even if they take long. */
    private static final int FEW = 12;

    private static final int SEEDS = 4;

    /** How long a cluster needs to come to work. */
    private static final long LEAD = 20 * SECOND;

    private static final long[] WINDOWS = {15 * SECOND, 40 * SECOND, 90 * SECOND, 240 * SECOND};

    private final Function<Plan, Simulation.Result> run;
    private final BooleanSupplier outOfTime;
    private Plan best;
    private Violation violation;
    private int runs;

    /**
     * What was found.
     *
     * @param plan the smallest plan
     * @param violation what it violates
     * @param runs how many plans were run
     */
    public record Shrunk(Plan plan, Violation violation, int runs) {}

    private Shrinker(Plan plan, Violation violation, Function<Plan, Simulation.Result> run, BooleanSupplier outOfTime) {
        this.best = plan;
        this.violation = violation;
        this.run = run;
        this.outOfTime = outOfTime;
    }

    /**
     * Shrinks a plan.
     *
     * @param failed the plan and what it violated
     * @param run runs a plan, with the same wiring
     * @param outOfTime asked before each run; true ends the search with the best plan so far
     */
    public static Shrunk shrink(
            Simulation.Result failed, Function<Plan, Simulation.Result> run, BooleanSupplier outOfTime) {
        Shrinker shrinker = new Shrinker(failed.plan(), failed.violation().orElseThrow(), run, outOfTime);
        shrinker.shrink();
        return new Shrunk(shrinker.best, shrinker.violation, shrinker.runs);
    }

    private void shrink() {
        cutTheEnd();
        forgetThePast();
        Plan before;
        do {
            before = best;
            deleteFaults();
            fewerMachines();
            startEarlier();
            weaken();
            cutTheEnd();
        } while (!before.equals(best) && !outOfTime.getAsBoolean());
    }

    private boolean quietPhase() {
        return violation.time() > best.shape().faulty().toNanos();
    }

    /** Nothing after the violation matters, and nothing happens between the last fault and the quiet phase. */
    private void cutTheEnd() {
        Shape shape = best.shape();
        long faulty = shape.faulty().toNanos();
        if (!quietPhase()) {
            lasting(Math.min(violation.time() + MARGIN, faulty), 0);
            return;
        }
        long quiet = Math.min(violation.time() - faulty + MARGIN, shape.quiet().toNanos());
        lasting(faulty, quiet);
        long lastFault = best.faults().stream()
                        .filter(fault -> !Shapes.forGood(fault, best.shape()))
                        .mapToLong(Fault::end)
                        .max()
                        .orElse(0)
                + SECOND;
        lasting(Math.min(lastFault, faulty), quiet);
    }

    /** The cause is most often what happened shortly before. */
    private void forgetThePast() {
        long faulty = best.shape().faulty().toNanos();
        long to = Math.min(violation.time(), faulty);
        for (long length : WINDOWS) {
            if (length + LEAD < to && accept(Shapes.window(best, to - length, to, LEAD))) {
                cutTheEnd();
                return;
            }
        }
    }

    private void lasting(long faulty, long quiet) {
        Shape cut = Shapes.lasting(best.shape(), faulty, quiet);
        if (!cut.equals(best.shape())) {
            accept(Shapes.lasting(best, cut));
        }
    }

    /** Delta debugging: without halves, quarters and so on, then without single ones. */
    private void deleteFaults() {
        int chunk = Math.max(1, best.faults().size() / 2);
        while (!best.faults().isEmpty() && !outOfTime.getAsBoolean()) {
            boolean deleted = false;
            for (int from = 0; from < best.faults().size() && !outOfTime.getAsBoolean(); ) {
                List<Fault> rest = new ArrayList<>(best.faults());
                rest.subList(from, Math.min(rest.size(), from + chunk)).clear();
                if (accept(best.with(rest))) {
                    deleted = true;
                } else {
                    from += chunk;
                }
            }
            if (chunk == 1 && !deleted) {
                return;
            }
            chunk = chunk == 1 ? 1 : (chunk + 1) / 2;
        }
    }

    private void fewerMachines() {
        Plan compact = Shapes.compact(best);
        if (!compact.equals(best)) {
            accept(compact);
        }
        for (Role role : List.of(Role.EPHEMERAL, Role.SPECTATOR, Role.REPLICA, Role.EXECUTOR)) {
            int fewest = role == Role.REPLICA || role == Role.EXECUTOR ? 1 : 0;
            for (int n = fewest; n < best.shape().count(role); n++) {
                if (accept(Shapes.resize(best, best.shape().with(role, n)))) {
                    break;
                }
            }
        }
        for (int n = 1; n < best.shape().shards(); n *= 2) {
            if (accept(Shapes.resize(best, best.shape().withShards(n)))) {
                break;
            }
        }
    }

    /** Takes idle time out before the first fault and between faults. */
    private void startEarlier() {
        for (int i = 0; i < best.faults().size() && !outOfTime.getAsBoolean(); i++) {
            Fault fault = best.faults().get(i);
            if (Shapes.forGood(fault, best.shape())) {
                continue;
            }
            long previous = i == 0 ? 0 : best.faults().get(i - 1).start();
            long gap = fault.start() - previous;
            for (long keep : new long[] {0, 5 * SECOND, 20 * SECOND, gap / 2}) {
                if (keep < gap - SECOND && accept(Shapes.earlier(best, i, gap - keep))) {
                    break;
                }
            }
        }
    }

    private void weaken() {
        for (int i = 0; i < best.faults().size(); i++) {
            if (Shapes.forGood(best.faults().get(i), best.shape())) {
                continue;
            }
            for (Fault weaker = Shapes.shorter(best.faults().get(i)); !outOfTime.getAsBoolean(); ) {
                if (weaker.equals(best.faults().get(i)) || !accept(replace(i, weaker))) {
                    break;
                }
                weaker = Shapes.shorter(weaker);
            }
            if (i < best.faults().size()) {
                Fault weaker = Shapes.lower(best.faults().get(i));
                if (!weaker.equals(best.faults().get(i))) {
                    accept(replace(i, weaker));
                }
            }
        }
    }

    private Plan replace(int index, Fault other) {
        List<Fault> faults = new ArrayList<>(best.faults());
        faults.set(index, other);
        return best.with(faults);
    }

    private static int seeds(Plan candidate) {
        long length = candidate.shape().faulty().plus(candidate.shape().quiet()).toNanos();
        int fit = (int) Math.min(MOST_SEEDS, TRIED / Math.max(SECOND, length));
        return Math.max(fit, candidate.faults().size() <= FEW ? SEEDS : 1);
    }

    /** Runs a candidate and keeps it if it violates the same invariant. */
    private boolean accept(Plan candidate) {
        if (!Shapes.sound(candidate)) {
            return false;
        }
        for (int i = 0; i < seeds(candidate) && !outOfTime.getAsBoolean(); i++) {
            Plan tried = new Plan(candidate.seed() + i, candidate.shape(), candidate.faults());
            runs++;
            Optional<Violation> found =
                    run.apply(tried).violation().filter(other -> other.id().equals(violation.id()));
            if (found.isPresent()) {
                best = tried;
                violation = found.get();
                return true;
            }
        }
        return false;
    }
}
