package io.shardwright.sim.command;

import io.shardwright.sim.check.Violation;
import io.shardwright.sim.cluster.Simulation;
import io.shardwright.sim.cluster.Wiring;
import io.shardwright.sim.mutant.Mutant;
import io.shardwright.sim.report.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/** Breaks the product in each known way and says after how many seeds which invariant noticed. */
final class MutantTable {

    private final Function<Supplier<Wiring>, Batch> batches;
    private final long from;
    private final Duration shrinking;
    private final BooleanSupplier interrupted;
    private final List<Row> rows = new ArrayList<>();
    private boolean complete = true;

    /**
     * What came of one mutant.
     *
     * @param caught what noticed, empty if nothing did
     * @param seeds how many seeds it took, or how many were run in vain
     * @param faultsLeft faults of the smallest plan, if one was looked for
     */
    record Row(Mutant mutant, Optional<Violation> caught, long seeds, double simulatedHours, OptionalInt faultsLeft) {

        boolean asExpected() {
            return caught.filter(violation -> mutant.alarms().contains(violation.id()))
                    .isPresent();
        }

        String verdict() {
            if (caught.isEmpty()) {
                return "SURVIVED";
            }
            String id = caught.orElseThrow().id();
            return asExpected() ? id : id + ", not one of " + String.join(" ", mutant.alarms());
        }
    }

    /**
     * @param batches makes a batch of the seeds to try, of a broken cluster
     * @param from the first of these seeds
     * @param shrinking time to shrink each failure, zero for not at all
     * @param interrupted asked all the time; true ends it, with the mutants that were done by then
     */
    MutantTable(Function<Supplier<Wiring>, Batch> batches, long from, Duration shrinking, BooleanSupplier interrupted) {
        this.batches = batches;
        this.from = from;
        this.shrinking = shrinking;
        this.interrupted = interrupted;
    }

    /** Runs mutants and tells of each as soon as it is known. */
    void run(List<Mutant> mutants, PrintWriter err) throws IOException, InterruptedException {
        for (Mutant mutant : mutants) {
            Batch batch = batches.apply(mutant.wiring());
            batch.run();
            if (interrupted.getAsBoolean()) {
                err.println("INVALID: interrupted after " + rows.size() + " of " + mutants.size() + " mutants");
                err.flush();
                complete = false;
                return;
            }
            Tally.Figures figures = batch.tally().figures();
            Optional<Simulation.Result> first =
                    batch.tally().failures().stream().findFirst();
            Row row = new Row(
                    mutant,
                    first.flatMap(Simulation.Result::violation),
                    first.map(result -> result.plan().seed() - from + 1).orElse(figures.seeds()),
                    figures.simulatedHours(),
                    faultsLeft(first, mutant));
            rows.add(row);
            err.println(mutant.id() + ": " + row.verdict() + " after " + row.seeds() + " seeds" + left(row));
            err.flush();
        }
    }

    private OptionalInt faultsLeft(Optional<Simulation.Result> failure, Mutant mutant) {
        return shrinking.isZero() || failure.isEmpty()
                ? OptionalInt.empty()
                : OptionalInt.of(Shrinking.shrink(failure.get(), mutant.wiring(), shrinking, interrupted)
                        .faults()
                        .size());
    }

    private static String left(Row row) {
        return row.faultsLeft().isPresent() ? ", " + row.faultsLeft().getAsInt() + " faults left" : "";
    }

    /** Another alarm than the expected ones does not count: the product itself might set it off. */
    Verdict verdict() {
        return complete && rows.stream().allMatch(Row::asExpected) ? Verdict.CLEAN : Verdict.INVALID;
    }

    String table() {
        StringBuilder text = new StringBuilder();
        text.append(
                String.format(Locale.ROOT, "%n%-5s %-66s %6s %8s  %s%n", "", "broken", "seeds", "hours", "caught by"));
        for (Row row : rows) {
            text.append(String.format(
                    Locale.ROOT,
                    "%-5s %-66s %6d %8.1f  %s%n",
                    row.mutant().id(),
                    row.mutant().broken(),
                    row.seeds(),
                    row.simulatedHours(),
                    row.verdict() + left(row)));
        }
        long caught = rows.stream().filter(Row::asExpected).count();
        List<Long> seeds = rows.stream().map(Row::seeds).sorted().toList();
        text.append(String.format(
                Locale.ROOT,
                "%n%d of %d mutants caught by an invariant that has to, the median after %d seeds%n",
                caught,
                rows.size(),
                seeds.isEmpty() ? 0 : seeds.get(seeds.size() / 2)));
        return text.toString();
    }

    String json() {
        return Json.of(Json.object(
                "verdict",
                verdict().name().toLowerCase(Locale.ROOT),
                "exitCode",
                verdict().exitCode(),
                "mutants",
                rows.stream()
                        .map(row -> Json.object(
                                "id",
                                row.mutant().id(),
                                "broken",
                                row.mutant().broken(),
                                "caughtBy",
                                row.caught().map(Violation::id).orElse(""),
                                "expected",
                                row.mutant().alarms(),
                                "seeds",
                                row.seeds()))
                        .toList()));
    }
}
