package io.shardwright.sim.command;

import io.shardwright.sim.check.Violation;
import io.shardwright.sim.cluster.Simulation;
import io.shardwright.sim.cluster.Wiring;
import io.shardwright.sim.plan.Plan;
import io.shardwright.sim.report.Artefacts;
import io.shardwright.sim.report.Recorder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Makes a failure easy to understand: a small plan, a command that replays it, and files that show what happened. */
final class Explanation {

    /** The plan as it was drawn, and the plan to look at. */
    static final String FULL_PLAN = "full.plan";

    static final String PLAN = "failure.plan";

    private final Supplier<Wiring> wiring;
    private final Path out;
    private final String origin;
    private final String options;
    private final Duration budget;
    private final BooleanSupplier interrupted;

    /**
     * What there is to say of one failure.
     *
     * @param plan the plan to look at, shrunk where that was asked for
     * @param violation what it violates
     * @param faultsBefore how many faults the plan had that was found
     * @param command what replays it
     * @param files what explains it, the first one first
     */
    record Explained(Plan plan, Violation violation, int faultsBefore, String command, List<Path> files) {

        /** Returns what is printed: the command stands on a line of its own. */
        String text(String origin) {
            return String.format(
                    Locale.ROOT,
                    """
                    FAILED %s at %.6f s of simulated time: %s
                      %s; %d of %d faults left; %d replicas, %d executors, %d shards
                      replay: %s
                      look:   %s
                    """,
                    violation.id(),
                    violation.time() / 1e9,
                    violation.message(),
                    origin,
                    plan.faults().size(),
                    faultsBefore,
                    plan.shape().replicas(),
                    plan.shape().executors(),
                    plan.shape().shards(),
                    command,
                    files.stream().map(Path::toString).collect(Collectors.joining(" ")));
        }
    }

    /**
     * @param out directory for the files
     * @param origin where the failures come from, for people: profile and commit
     * @param options what else the command that replays it needs
     * @param budget time to shrink each, zero for not at all
     * @param interrupted asked all the time; true ends the shrinking
     */
    Explanation(
            Supplier<Wiring> wiring,
            Path out,
            String origin,
            String options,
            Duration budget,
            BooleanSupplier interrupted) {
        this.wiring = wiring;
        this.out = out;
        this.origin = origin;
        this.options = options;
        this.budget = budget;
        this.interrupted = interrupted;
    }

    /**
     * Returns what there is to say; empty when the plan does not violate the same now, so that there is nothing to look
     * at.
     */
    Optional<Explained> explain(Simulation.Result failure, String name) throws IOException {
        Violation found = failure.violation().orElseThrow();
        Path directory = out.resolve(found.id() + "-" + name);
        Files.createDirectories(directory);
        Files.writeString(
                directory.resolve(FULL_PLAN),
                header(failure.plan(), found) + failure.plan().text());
        Plan plan = Shrinking.shrink(failure, wiring, budget, interrupted);
        Recorder recorder = new Recorder();
        Optional<Violation> repeated = Simulation.outcome(plan, wiring.get(), recorder)
                .violation()
                .filter(again -> again.id().equals(found.id()));
        if (repeated.isEmpty()) {
            return Optional.empty();
        }
        Violation violation = repeated.get();
        Path file = directory.resolve(PLAN);
        Files.writeString(file, header(plan, violation) + plan.text());
        List<Path> files = Artefacts.write(directory, plan, recorder, violation.id() + " in " + name + ", " + origin);
        return Optional.of(new Explained(
                plan,
                violation,
                failure.plan().faults().size(),
                "./shardwright sim " + options + "--plan " + quoted(file),
                files));
    }

    /** Returns a path as a shell takes it. */
    private static String quoted(Path file) {
        String text = file.toString();
        return text.matches("[A-Za-z0-9_./+=:@,-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
    }

    private String header(Plan plan, Violation violation) {
        return String.format(
                Locale.ROOT,
                "# %s at %.6f s: %s%n# %s, %d faults%n",
                violation.id(),
                violation.time() / 1e9,
                violation.message().lines().collect(Collectors.joining(" ")),
                origin,
                plan.faults().size());
    }
}
