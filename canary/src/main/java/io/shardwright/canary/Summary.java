package io.shardwright.canary;

import io.shardwright.canary.check.Violation;
import io.shardwright.canary.ping.Findings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a run found.
 *
 * @param ran how long it pinged
 * @param counts what was counted
 * @param violations the first broken promises
 * @param longestUnserved longest time that a shard had no owner that answered
 * @param allowedUnserved how long that may be
 * @param unservedTooLong how many shards had none for longer
 * @param kills executors killed on purpose
 */
record Summary(
        Duration ran,
        Findings.Counts counts,
        List<Violation> violations,
        Duration longestUnserved,
        Duration allowedUnserved,
        int unservedTooLong,
        int kills) {

    static final String NOBODY_ANSWERED = "VIOLATION no ping was answered by an owner";

    static Summary of(Findings findings, Duration ran, Duration allowedUnserved, int kills) {
        return new Summary(
                ran,
                findings.counts(),
                findings.violations(),
                findings.longestUnserved(),
                allowedUnserved,
                findings.unservedLongerThan(allowedUnserved),
                kills);
    }

    /** Whoever was never answered has seen nothing, which proves nothing. */
    boolean clean() {
        return !counts.violated() && unservedTooLong == 0 && counts.ok() > 0;
    }

    int exitCode() {
        return clean() ? ExitCodes.CLEAN : ExitCodes.VIOLATION;
    }

    /** For people. */
    List<String> table() {
        List<String> lines = new ArrayList<>();
        lines.add(row("ran", Durations.seconds(ran)));
        lines.add(row("pings", number(counts.pings())));
        lines.add(row("  ok", number(counts.ok())));
        lines.add(row("  not owned", number(counts.notOwned())));
        lines.add(row("  unreachable", number(counts.unreachable())));
        lines.add(row("  no owner", number(counts.noOwner())));
        lines.add(row("ephemeral shards made", number(counts.created())));
        lines.add(row("moves", number(counts.moves())));
        lines.add(row("executors killed", number(kills)));
        lines.add(row("longest without owner", Durations.seconds(longestUnserved)) + "  (allowed "
                + Durations.seconds(allowedUnserved) + ", exceeded by " + unservedTooLong + " shards)");
        lines.add(row("double owners", number(counts.doubleOwners())));
        lines.add(row("epoch falls", number(counts.epochFalls())));
        lines.add(row("fence refusals", number(counts.fenceRefusals())));
        violations.forEach(violation ->
                lines.add("VIOLATION " + violation.kind() + " " + violation.shard() + ": " + violation.proof()));
        if (counts.ok() == 0) {
            lines.add(NOBODY_ANSWERED);
        }
        lines.add(clean() ? "clean" : "VIOLATED");
        return lines;
    }

    private static String row(String name, String value) {
        return String.format(Locale.ROOT, "%-22s %12s", name, value);
    }

    private static String number(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /** For programs: one object. */
    String json() {
        StringBuilder json = new StringBuilder("{");
        field(json, "clean", clean());
        field(json, "ran_millis", ran.toMillis());
        field(json, "pings", counts.pings());
        field(json, "ok", counts.ok());
        field(json, "failed_not_owned", counts.notOwned());
        field(json, "failed_unreachable", counts.unreachable());
        field(json, "failed_no_owner", counts.noOwner());
        field(json, "ephemeral_created", counts.created());
        field(json, "moves", counts.moves());
        field(json, "executors_killed", kills);
        field(json, "longest_without_owner_millis", longestUnserved.toMillis());
        field(json, "allowed_without_owner_millis", allowedUnserved.toMillis());
        field(json, "shards_without_owner_too_long", unservedTooLong);
        field(json, "double_owners", counts.doubleOwners());
        field(json, "epoch_falls", counts.epochFalls());
        field(json, "fence_refusals", counts.fenceRefusals());
        json.append("\"violations\":[");
        for (int i = 0; i < violations.size(); i++) {
            Violation violation = violations.get(i);
            json.append(i == 0 ? "{" : ",{");
            field(json, "kind", quoted(violation.kind().name()));
            field(json, "shard", quoted(violation.shard()));
            json.append("\"proof\":").append(quoted(violation.proof())).append('}');
        }
        return json.append("]}").toString();
    }

    private static void field(StringBuilder json, String name, Object value) {
        json.append('"').append(name).append("\":").append(value).append(',');
    }

    private static String quoted(String text) {
        StringBuilder out = new StringBuilder("\"");
        text.chars().forEach(c -> {
            if (c == '"' || c == '\\') {
                out.append('\\').append((char) c);
            } else if (c < ' ') {
                out.append(String.format(Locale.ROOT, "\\u%04x", c));
            } else {
                out.append((char) c);
            }
        });
        return out.append('"').toString();
    }
}
