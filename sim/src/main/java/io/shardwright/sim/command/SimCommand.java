package io.shardwright.sim.command;

import io.shardwright.sim.cluster.Simulation;
import io.shardwright.sim.cluster.Wiring;
import io.shardwright.sim.mutant.Mutant;
import io.shardwright.sim.mutant.Mutants;
import io.shardwright.sim.plan.Plan;
import io.shardwright.sim.plan.Profile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code shardwright sim}: whole clusters from seeds. */
@Command(
        name = "sim",
        description = {
            "Runs whole clusters from seeds in virtual time, with faults, and checks after every event that nothing is wrong.",
            "A failure is shrunk and explained: one command replays it exactly, and files show what happened.",
            "Prints progress to standard error and a summary to standard output."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  shardwright sim --seeds 1000",
            "  shardwright sim --seeds 20000 --from 1000 --output json",
            "  shardwright sim --seed 42",
            "  shardwright sim --plan sim-failures/S1-seed-42/failure.plan",
            "  shardwright sim --mutants              # is what is broken on purpose noticed?",
            "  shardwright sim --mutant M6            # finds, shrinks and explains what one of them breaks"
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:clean",
            "1:it could not read or write a file",
            "2:the command line or a plan is wrong; nothing was run",
            "10:safety: something happened that must never happen",
            "11:liveness: the cluster did not come to rest",
            "12:crash: an exception escaped, or the simulator itself failed",
            "13:nondeterminism: one plan was two different runs",
            "14:invalid: facts were not reached often enough, or a mutant was not caught, so clean seeds prove nothing"
        })
public final class SimCommand implements Callable<Integer> {

    /** A mutant that survives so many seeds is not caught (A6). */
    private static final long MUTANT_SEEDS = 200;

    enum Output {
        table,
        json
    }

    @Spec
    @Nullable
    CommandSpec spec;

    @Option(
            names = "--seeds",
            paramLabel = "N",
            defaultValue = "100",
            description = "Seeds to run. Default: ${DEFAULT-VALUE}.")
    long seeds;

    @Option(
            names = "--from",
            paramLabel = "SEED",
            defaultValue = "1",
            description = "The first of them. Default: ${DEFAULT-VALUE}.")
    long from;

    @Option(names = "--seed", paramLabel = "SEED", description = "Runs this seed alone.")
    @Nullable
    Long seed;

    @Option(names = "--plan", paramLabel = "FILE", description = "Runs the plan in this file alone.")
    @Nullable
    Path plan;

    @Option(
            names = "--mutants",
            description =
                    "Breaks the product in each known way instead, and says after how many seeds it was noticed, of at most"
                            + " --seeds (default here: " + MUTANT_SEEDS + ").")
    boolean mutants;

    @Option(names = "--mutant", paramLabel = "ID", description = "Breaks the product in this known way.")
    @Nullable
    String mutant;

    @Option(
            names = "--profile",
            paramLabel = "NAME",
            defaultValue = "default",
            completionCandidates = ProfileNames.class,
            description = "What the plans are drawn from: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    String profile = "";

    @Option(names = "--threads", paramLabel = "N", description = "Seeds to run at a time. Default: one per core.")
    int threads = Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--replay-check",
            paramLabel = "PERCENT",
            defaultValue = "1",
            description =
                    "So many of the clean seeds are run again in another JVM and must be the same run. Default: ${DEFAULT-VALUE}.")
    double replayCheck;

    @Option(
            names = "--replay-java",
            paramLabel = "DIR",
            description =
                    "Home of the JDK or JRE that runs them again, for example of another version. Default: the one that runs this.")
    @Nullable
    Path replayJava;

    @Option(
            names = "--failures",
            paramLabel = "N",
            defaultValue = "1",
            description = "Begins no further seed after so many failures. Default: ${DEFAULT-VALUE}.")
    int failures;

    @Option(
            names = "--shrink",
            paramLabel = "SECONDS",
            description = "Time to shrink each failure; 0: not at all. Default: 60, and 0 with --plan and --mutants.")
    @Nullable
    Integer shrink;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "sim-failures",
            description = "Where plans and explanations of failures are written. Default: ${DEFAULT-VALUE}.")
    Path out = Path.of("");

    @Option(
            names = "--output",
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    Output output = Output.table;

    private final Supplier<Wiring> wiring;
    private final Class<?> replayMain;

    /** The product as it is. */
    public SimCommand() {
        this(Wiring::new, ReplayMain.class);
    }

    /** The product with a part replaced, for tests; the main class replaces it in the second JVM too. */
    SimCommand(Supplier<Wiring> wiring, Class<?> replayMain) {
        this.wiring = wiring;
        this.replayMain = replayMain;
    }

    /** The names of the profiles, for the help. */
    static final class ProfileNames extends ArrayList<String> {
        private static final long serialVersionUID = 1;

        ProfileNames() {
            super(Profile.labels());
        }
    }

    private CommandSpec spec() {
        if (spec == null) {
            throw new IllegalStateException("picocli sets the spec before it runs a command");
        }
        return spec;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Optional<Plan> single = checked();
        QuietLogs.set();
        try (Interruption interruption = Interruption.begin()) {
            return mutants ? runMutants(interruption) : runSeeds(single, interruption);
        }
    }

    private Batch batch(
            Optional<Plan> single,
            long first,
            long count,
            Supplier<Wiring> product,
            double replay,
            Interruption interruption) {
        Profile drawn = Profile.valueOf(profile.toUpperCase(Locale.ROOT));
        return new Batch(
                new Batch.Settings(
                        number -> single.orElseGet(() -> drawn.plan(number)),
                        first,
                        count,
                        (int) Math.min(threads, count),
                        replay,
                        replayJava == null ? new SecondJvm(replayMain) : new SecondJvm(replayMain, replayJava),
                        mutants ? 1 : failures),
                product,
                interruption::asked);
    }

    private int runSeeds(Optional<Plan> single, Interruption interruption) throws IOException, InterruptedException {
        PrintWriter err = spec().commandLine().getErr();
        long count = single.isPresent() || seed != null ? 1 : seeds;
        // What is broken here is not broken in the other JVM.
        Batch batch = batch(
                single, seed != null ? seed : from, count, wiring(), mutant == null ? replayCheck : 0, interruption);
        long begin = System.nanoTime();
        try (Progress progress = Progress.start(err, batch.tally(), count)) {
            batch.run();
        }
        double wall = (System.nanoTime() - begin) / 1e9;
        Summary summary = summary(batch, count, single.isPresent() ? "plan file" : profile, wall);
        print(output == Output.json ? summary.json() + System.lineSeparator() : summary.table());
        return summary.verdict().exitCode();
    }

    private int runMutants(Interruption interruption) throws IOException, InterruptedException {
        boolean given = spec().commandLine().getParseResult().hasMatchedOption("--seeds");
        long count = given ? seeds : MUTANT_SEEDS;
        MutantTable table = new MutantTable(
                broken -> batch(Optional.empty(), from, count, broken, 0, interruption),
                from,
                Duration.ofSeconds(shrink != null ? shrink : 0),
                interruption::asked);
        table.run(Mutants.all(), spec().commandLine().getErr());
        print(output == Output.json ? table.json() + System.lineSeparator() : table.table());
        return table.verdict().exitCode();
    }

    private void print(String text) {
        PrintWriter std = spec().commandLine().getOut();
        std.print(text);
        std.flush();
    }

    /** Returns what the clusters are made of: the product, or the mutant that was asked for. */
    private Supplier<Wiring> wiring() {
        return mutantOf(mutant).map(Mutant::wiring).orElse(wiring);
    }

    private static Optional<Mutant> mutantOf(@Nullable String id) {
        return Mutants.all().stream().filter(each -> each.id().equals(id)).findFirst();
    }

    private Summary summary(Batch batch, long count, String source, double wall) {
        Tally tally = batch.tally();
        PrintWriter err = spec().commandLine().getErr();
        String origin =
                source + Checkout.commit().map(commit -> ", commit " + commit).orElse("");
        int shrinkSeconds = shrink != null ? shrink : plan != null ? 0 : 60;
        Duration budget = Duration.ofSeconds(batch.interrupted() ? 0 : shrinkSeconds);
        Explanation explanation = new Explanation(
                wiring(), out, origin, mutant == null ? "" : "--mutant " + mutant + " ", budget, batch::interrupted);
        List<Explanation.Explained> explained = new ArrayList<>();
        for (Simulation.Result failure :
                tally.failures().stream().limit(failures).toList()) {
            if (!budget.isZero()) {
                err.println(failure.violation().orElseThrow().id() + " in seed "
                        + failure.plan().seed() + "; shrinking for at most " + budget.toSeconds() + " s");
                err.flush();
            }
            String from = "seed " + failure.plan().seed() + ", " + origin;
            try {
                Optional<Explanation.Explained> one = explanation.explain(failure, name(failure));
                if (one.isEmpty()) {
                    tally.notRepeated(failure);
                } else {
                    explained.add(one.get());
                    err.print(one.get().text(from));
                }
            } catch (IOException e) {
                err.println("FAILED " + failure.violation().orElseThrow().id() + ": "
                        + failure.violation().orElseThrow().message() + "; " + from);
                err.println("  its plan and explanation could not be written to --out " + out + ": " + e
                        + "; make room there, or name another directory, and run it again: ./shardwright sim "
                        + (plan != null
                                ? "--plan " + plan
                                : "--profile " + profile + " --seed "
                                        + failure.plan().seed()));
            }
        }
        tally.brokenOff().forEach(sentence -> err.println("FAILED crash: the simulator itself failed: " + sentence));
        tally.differing().forEach(sentence -> err.println("FAILED nondeterminism: " + sentence));
        Map<String, Long> floors =
                source.equals("default") ? Coverage.floors(tally.figures().seeds()) : Map.of();
        List<Coverage.Missed> missed = explained.isEmpty() ? Coverage.missed(tally.facts(), floors) : List.of();
        missed.forEach(it -> err.println("INVALID: '" + it.fact() + "' happened " + it.count() + " times, at least "
                + it.floor() + " are needed: the plans have become too tame, or the fact is no longer counted"));
        List<String> invalid = invalid(batch, count);
        invalid.forEach(sentence -> err.println("INVALID: " + sentence));
        err.flush();
        return new Summary(source, tally, wall, explained, floors, missed, invalid);
    }

    private String name(Simulation.Result failure) {
        if (plan == null) {
            return "seed-" + failure.plan().seed();
        }
        String file = String.valueOf(plan.getFileName());
        return file.endsWith(".plan") ? file.substring(0, file.length() - ".plan".length()) : file;
    }

    /** Checks what picocli cannot; returns the plan of the file. */
    private Optional<Plan> checked() {
        check("--seeds", seeds, seeds >= 1, "must be at least 1");
        check("--threads", threads, threads >= 1, "must be at least 1");
        check("--failures", failures, failures >= 1, "must be at least 1");
        check("--replay-check", replayCheck, replayCheck >= 0 && replayCheck <= 100, "must be 0 to 100");
        check(
                "--replay-java",
                replayJava,
                replayJava == null
                        || Files.isExecutable(replayJava.resolve("bin").resolve("java")),
                "has no bin/java");
        check("--profile", profile, Profile.labels().contains(profile), "must be one of " + Profile.labels());
        check("--mutant", mutant, mutant == null || mutantOf(mutant).isPresent(), "must be one of " + mutantIds());
        check("--mutants", "", !mutants || (plan == null && seed == null && mutant == null), "goes with seeds alone");
        check("--shrink", shrink, shrink == null || shrink >= 0, "must not be negative");
        checkWritable();
        Path file = plan;
        if (file == null) {
            return Optional.empty();
        }
        check("--seed", seed, seed == null, "goes without --plan: a plan has its seed");
        try {
            return Optional.of(Plan.parse(Files.readString(file)));
        } catch (IOException e) { // there is none, it is a directory, or what it holds is no text
            throw new ParameterException(
                    spec().commandLine(), "--plan " + file + " is no text file that can be read: " + e);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec().commandLine(), "--plan " + file + ": " + e.getMessage());
        }
    }

    /** Returns why seeds that did not fail prove nothing. */
    private List<String> invalid(Batch batch, long count) {
        Tally.Figures figures = batch.tally().figures();
        List<String> invalid = new ArrayList<>();
        if (batch.interrupted()) {
            invalid.add("interrupted after " + figures.seeds() + " of " + count + " seeds");
        } else if (figures.failed() == 0 && figures.seeds() < count) {
            invalid.add("only " + figures.seeds() + " of " + count + " seeds were run");
        }
        if (mutant != null && figures.failed() == 0) {
            invalid.add("mutant " + mutant + " survived " + figures.seeds() + " seeds: nothing notices what it breaks");
        }
        return invalid;
    }

    private static List<String> mutantIds() {
        return Mutants.all().stream().map(Mutant::id).toList();
    }

    /** A failure that took hours to find must not be lost because nothing can be written then. */
    private void checkWritable() {
        Path missing = out.toAbsolutePath().normalize();
        while (missing.getParent() != null && Files.notExists(missing.getParent())) {
            missing = missing.getParent();
        }
        boolean thereBefore = Files.exists(out);
        try {
            Files.createDirectories(out);
            Files.delete(Files.createTempFile(out, "writable", ""));
            Path made = out.toAbsolutePath().normalize();
            while (!thereBefore && made != null && made.startsWith(missing)) {
                Files.delete(made);
                made = made.getParent();
            }
        } catch (IOException e) {
            throw new ParameterException(
                    spec().commandLine(),
                    "--out " + out + " cannot be written to: " + e + "; name a directory that can");
        }
    }

    private void check(String option, @Nullable Object value, boolean ok, String rule) {
        if (!ok) {
            throw new ParameterException(spec().commandLine(), option + " " + value + " " + rule);
        }
    }
}
