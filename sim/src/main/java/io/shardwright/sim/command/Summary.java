package io.shardwright.sim.command;

import io.shardwright.sim.report.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/**
 * The end of a batch: what was run, what failed, what was covered, and how much that proves.
 *
 * @param profile where the plans come from
 * @param floors how often facts had to be reached
 * @param missed the facts that were not
 * @param invalid other reasons why clean seeds prove nothing
 */
record Summary(
        String profile,
        Tally tally,
        double wallSeconds,
        List<Explanation.Explained> failures,
        Map<String, Long> floors,
        List<Coverage.Missed> missed,
        List<String> invalid) {

    Verdict verdict() {
        TreeSet<Verdict> verdicts = new TreeSet<>();
        tally.failures()
                .forEach(failure -> verdicts.add(Verdict.of(failure.violation().orElseThrow())));
        if (!tally.differing().isEmpty()) {
            verdicts.add(Verdict.NONDETERMINISM);
        }
        if (!tally.brokenOff().isEmpty()) {
            verdicts.add(Verdict.CRASH);
        }
        if (!missed.isEmpty() || !invalid.isEmpty()) {
            verdicts.add(Verdict.INVALID);
        }
        return verdicts.isEmpty() ? Verdict.CLEAN : verdicts.first();
    }

    /** Says what clean seeds prove: the rule of three, for this distribution of plans and no other. */
    String claim() {
        long seeds = tally.figures().seeds();
        if (verdict() == Verdict.INVALID) {
            return "Proves nothing: "
                    + (invalid.isEmpty() ? "facts were not reached often enough" : String.join("; ", invalid)) + ".";
        }
        if (verdict() != Verdict.CLEAN || seeds == 0) {
            return "Proves that something is wrong.";
        }
        return seeds < 10
                ? "Too few seeds to bound anything."
                : String.format(
                        Locale.ROOT,
                        "%d clean seeds: with 95 %% confidence at most %.2g %% of the seeds of this profile fail (3/n). That holds for"
                                + " the faults that it draws, and for no others.",
                        seeds,
                        300.0 / seeds);
    }

    String table() {
        Tally.Figures figures = tally.figures();
        StringBuilder text = new StringBuilder();
        text.append(String.format(
                Locale.ROOT,
                "%n%d seeds of profile %s: %d clean, %d failed; %d run again in another JVM%n",
                figures.seeds(),
                profile,
                figures.seeds() - figures.failed(),
                figures.failed(),
                figures.replayed()));
        text.append(String.format(
                Locale.ROOT,
                "%.1f simulated hours in %.1f s: %.2f seeds/s, %.2f simulated hours and %.0f steps per core-second%n%n",
                figures.simulatedHours(),
                wallSeconds,
                figures.seeds() / wallSeconds,
                figures.hoursPerCoreSecond(),
                figures.stepsPerCoreSecond()));
        text.append(String.format(Locale.ROOT, "%-45s %12s %10s %10s%n", "covered", "count", "per seed", "at least"));
        TreeSet<String> facts = new TreeSet<>(tally.facts().counts().keySet());
        facts.addAll(floors.keySet());
        for (String fact : facts) {
            long count = tally.facts().counts().getOrDefault(fact, 0L);
            Long floor = floors.get(fact);
            text.append(String.format(
                    Locale.ROOT,
                    "%-45s %12d %10.2f %10s%s%n",
                    fact,
                    count,
                    count / (double) Math.max(1, figures.seeds()),
                    floor == null ? "" : floor.toString(),
                    floor != null && count < floor ? "  MISSED" : ""));
        }
        text.append('\n').append(claim()).append('\n');
        return text.toString();
    }

    String json() {
        Tally.Figures figures = tally.figures();
        return Json.of(Json.object(
                "profile",
                profile,
                "seeds",
                figures.seeds(),
                "failed",
                figures.failed(),
                "replayed",
                figures.replayed(),
                "steps",
                figures.steps(),
                "simulatedHours",
                figures.simulatedHours(),
                "wallSeconds",
                wallSeconds,
                "hoursPerCoreSecond",
                figures.hoursPerCoreSecond(),
                "verdict",
                verdict().name().toLowerCase(Locale.ROOT),
                "exitCode",
                verdict().exitCode(),
                "failures",
                failures.stream()
                        .map(it -> Json.object(
                                "id",
                                it.violation().id(),
                                "at",
                                it.violation().time() / 1e9,
                                "text",
                                it.violation().message(),
                                "seed",
                                it.plan().seed(),
                                "faults",
                                it.plan().faults().size(),
                                "replay",
                                it.command(),
                                "files",
                                it.files().stream().map(Path::toString).toList()))
                        .toList(),
                "differing",
                tally.differing(),
                "facts",
                tally.facts().counts(),
                "floors",
                floors,
                "brokenOff",
                tally.brokenOff(),
                "invalid",
                invalid,
                "missed",
                missed.stream().map(Coverage.Missed::fact).toList(),
                "claim",
                claim()));
    }
}
