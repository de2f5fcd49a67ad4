package io.shardwright.sim.plan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;

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
        text.append(String.format(Locale.ROOT, "seed = %d%n", seed));
        text.append(String.format(Locale.ROOT, "replicas = %d%n", shape.replicas()));
        text.append(String.format(Locale.ROOT, "executors = %d%n", shape.executors()));
        text.append(String.format(Locale.ROOT, "spectators = %d%n", shape.spectators()));
        text.append(String.format(Locale.ROOT, "ephemerals = %d%n", shape.ephemerals()));
        text.append(String.format(Locale.ROOT, "shards = %d%n", shape.shards()));
        text.append(String.format(Locale.ROOT, "lease = %s%n", shape.lease()));
        text.append(String.format(Locale.ROOT, "faulty = %s%n", shape.faulty()));
        text.append(String.format(Locale.ROOT, "quiet = %s%n", shape.quiet()));
        faults.forEach(fault -> text.append(fault).append(System.lineSeparator()));
        return text.toString();
    }

    /**
     * Reads a plan file.
     *
     * @throws IllegalArgumentException names the line that is no fault and no setting, or the setting that is missing
     */
    public static Plan parse(String text) {
        TreeMap<String, String> settings = new TreeMap<>();
        List<Fault> faults = new ArrayList<>();
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            if (line.isBlank() || line.stripLeading().startsWith("#")) {
                continue;
            }
            int equals = line.indexOf('=');
            if (equals > 0) {
                settings.put(
                        line.substring(0, equals).trim(),
                        line.substring(equals + 1).trim());
                continue;
            }
            Optional<Fault> fault = Fault.parse(line);
            if (fault.isEmpty()) {
                throw new IllegalArgumentException("line " + number + ": '" + line
                        + "' is no fault; write <start>ms +<length>ms <kind> <targets> <amount>");
            }
            faults.add(fault.get());
        }
        Shape shape = new Shape(
                Integer.parseInt(setting(settings, "replicas")),
                Integer.parseInt(setting(settings, "executors")),
                Integer.parseInt(setting(settings, "spectators")),
                // Plans that were written before there were ephemeral namespaces do not say it.
                Integer.parseInt(settings.getOrDefault("ephemerals", "0")),
                Integer.parseInt(setting(settings, "shards")),
                Duration.parse(setting(settings, "lease")),
                Duration.parse(setting(settings, "faulty")),
                Duration.parse(setting(settings, "quiet")));
        return new Plan(Long.parseLong(setting(settings, "seed")), shape, faults);
    }

    private static String setting(TreeMap<String, String> settings, String key) {
        String value = settings.get(key);
        if (value == null) {
            throw new IllegalArgumentException("the plan has no line '" + key + " = ...'");
        }
        return value;
    }
}
