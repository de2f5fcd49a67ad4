package io.shardwright.sim.plan;

import java.util.List;
import java.util.Locale;

/**
 * A whole run: the seed of its latencies and ties, its shape, and its faults.
 *
 * <p>Its text form is a plan file: {@code key = value} lines for seed and shape, then one line per fault. Lines that
 * begin with {@code #} say something to people.
 */
public record Plan(long seed, Shape shape, List<Fault> faults) {

    /** Sorts the faults by their start. */
    public Plan {
        faults = faults.stream().sorted().toList();
    }

    /** Says whether no two clocks differ by more than a fraction at any time. */
    public boolean clocksWithin(double fraction) {
        double slowest = 1;
        double fastest = 1;
        for (Fault fault : faults) {
            if (fault.kind() == Fault.Kind.CLOCK_RATE) {
                slowest = Math.min(slowest, fault.amount());
                fastest = Math.max(fastest, fault.amount());
            }
        }
        return fastest - slowest <= fraction * slowest;
    }

    /** Returns this plan with other faults. */
    public Plan with(List<Fault> others) {
        return new Plan(seed, shape, others);
    }

    /** Returns this plan with another shape. */
    public Plan with(Shape other) {
        return new Plan(seed, other, faults);
    }

    /** Returns the text of a plan file. */
    public String text() {
        StringBuilder text = new StringBuilder();
        text.append(String.format(Locale.ROOT, "seed = %d\n", seed));
        text.append(String.format(Locale.ROOT, "replicas = %d\n", shape.replicas()));
        text.append(String.format(Locale.ROOT, "executors = %d\n", shape.executors()));
        text.append(String.format(Locale.ROOT, "spectators = %d\n", shape.spectators()));
        text.append(String.format(Locale.ROOT, "ephemerals = %d\n", shape.ephemerals()));
        text.append(String.format(Locale.ROOT, "shards = %d\n", shape.shards()));
        text.append(String.format(Locale.ROOT, "lease = %s\n", shape.lease()));
        text.append(String.format(Locale.ROOT, "faulty = %s\n", shape.faulty()));
        text.append(String.format(Locale.ROOT, "quiet = %s\n", shape.quiet()));
        faults.forEach(fault -> text.append(fault).append("\n"));
        return text.toString();
    }

    /**
     * Reads a plan file.
     *
     * @throws IllegalArgumentException names the line, the value and what would be right, or the setting that is
     *     missing
     */
    public static Plan parse(String text) {
        return PlanParser.parse(text);
    }

    /** Says whether all machines that faults name are there, as they must be in a plan file. */
    public boolean namesWhatIsThere() {
        Machines machines = new Machines(this);
        return faults.stream().allMatch(fault -> machines.problem(fault).isEmpty());
    }
}
