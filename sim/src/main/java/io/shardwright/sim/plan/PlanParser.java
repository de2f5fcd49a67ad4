package io.shardwright.sim.plan;

import io.shardwright.sim.plan.Fault.Kind;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a plan file. What is wrong is refused with its line, its value, and what would be right. */
final class PlanParser {

    private static final List<String> KEYS =
            List.of("seed", "replicas", "executors", "spectators", "ephemerals", "shards", "lease", "faulty", "quiet");

    private static final int MOST_MACHINES = 10_000;
    private static final int MOST_SHARDS = 1 << 20;

    /** Twelve digits are thirty years, and sums of such times fit. */
    private static final Pattern TIME = Pattern.compile("(\\d{1,12})(?:\\.(\\d{1,6}))?ms");

    private static final Pattern LENGTH = Pattern.compile("\\+" + TIME.pattern());

    private static final int LONGEST_QUOTE = 80;

    private final TreeMap<String, Setting> settings = new TreeMap<>();
    private final List<Placed> faults = new ArrayList<>();

    private record Setting(int line, String key, String value) {

        IllegalArgumentException wrong(String rule) {
            return PlanParser.wrong(line, key + " = " + quoted(value) + " must be " + rule);
        }
    }

    private record Placed(int line, Fault fault) {}

    private PlanParser() {}

    static Plan parse(String text) {
        PlanParser parser = new PlanParser();
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            if (!line.isBlank() && !line.stripLeading().startsWith("#")) {
                parser.take(number, line.strip());
            }
        }
        return parser.plan();
    }

    private void take(int number, String line) {
        int equals = line.indexOf('=');
        if (equals <= 0) {
            faults.add(new Placed(number, fault(number, line)));
            return;
        }
        Setting setting = new Setting(
                number,
                line.substring(0, equals).strip(),
                line.substring(equals + 1).strip());
        if (!KEYS.contains(setting.key())) {
            throw wrong(number, quoted(setting.key()) + " is no setting; there are " + String.join(", ", KEYS));
        }
        Setting other = settings.put(setting.key(), setting);
        if (other != null) {
            throw wrong(number, setting.key() + " stands on line " + other.line() + " already; leave one of them out");
        }
    }

    // ------------------------------------------------------------------ faults

    private static Fault fault(int number, String line) {
        List<String> words = List.of(line.split("\\s+"));
        if (words.size() < 4) {
            throw wrong(
                    number,
                    quoted(line) + " is no fault and no setting; write <start>ms +<length>ms <kind> <targets> <amount>,"
                            + " or <key> = <value>");
        }
        String kind = words.get(2);
        if (Arrays.stream(Kind.values()).noneMatch(each -> each.name().equals(kind))) {
            throw wrong(number, quoted(kind) + " is no kind of fault; there are " + List.of(Kind.values()));
        }
        String length = words.get(1);
        try {
            return new Fault(
                    nanos(number, "start", words.get(0)),
                    nanos(number, "length", length),
                    Kind.valueOf(kind),
                    words.subList(3, words.size() - 1),
                    amount(number, words.getLast()));
        } catch (BrokenRule e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw wrong(number, String.valueOf(e.getMessage()));
        }
    }

    private static double amount(int number, String word) {
        try {
            return Double.parseDouble(word);
        } catch (NumberFormatException e) {
            throw wrong(number, "amount " + quoted(word) + " must be a number; it is the last word of a fault");
        }
    }

    private static long nanos(int number, String what, String word) {
        boolean start = what.equals("start");
        Matcher time = (start ? TIME : LENGTH).matcher(word);
        if (!time.matches()) {
            throw wrong(
                    number,
                    what + " " + quoted(word) + " must be milliseconds with up to 6 decimals: "
                            + (start ? "2500ms or 2500.5ms" : "+2500ms or +2500.5ms"));
        }
        String fraction = Optional.ofNullable(time.group(2)).orElse("");
        return Long.parseLong(time.group(1) + fraction + "0".repeat(6 - fraction.length()));
    }

    // ------------------------------------------------------------------ settings

    private Plan plan() {
        Shape shape = new Shape(
                number("replicas", 1, MOST_MACHINES),
                number("executors", 1, MOST_MACHINES),
                number("spectators", 0, MOST_MACHINES),
                // Plans that were written before there were ephemeral namespaces do not say it.
                settings.containsKey("ephemerals") ? number("ephemerals", 0, MOST_MACHINES) : 0,
                number("shards", 1, MOST_SHARDS),
                lease(),
                phase("faulty"),
                phase("quiet"));
        Plan plan = new Plan(seed(), shape, faults.stream().map(Placed::fault).toList());
        Machines machines = new Machines(plan);
        for (Placed placed : faults) {
            machines.problem(placed.fault()).ifPresent(problem -> {
                throw wrong(placed.line(), problem);
            });
        }
        return plan;
    }

    private Setting setting(String key) {
        Setting setting = settings.get(key);
        if (setting == null) {
            throw new IllegalArgumentException("the plan has no line '" + key + " = ...'");
        }
        return setting;
    }

    private long seed() {
        Setting seed = setting("seed");
        try {
            return Long.parseLong(seed.value());
        } catch (NumberFormatException e) {
            throw seed.wrong("a whole number of 64 bits");
        }
    }

    private int number(String key, int least, int most) {
        Setting setting = setting(key);
        String rule = "a whole number from " + least + " to " + most;
        try {
            int number = Integer.parseInt(setting.value());
            if (number < least || number > most) {
                throw setting.wrong(rule);
            }
            return number;
        } catch (NumberFormatException e) {
            throw setting.wrong(rule);
        }
    }

    private Duration lease() {
        Duration lease = duration("lease", Duration.ofSeconds(1), Duration.ofHours(1), "PT15S");
        if (lease.toNanosPart() % 1_000_000 != 0) {
            throw setting("lease").wrong("whole milliseconds, such as PT15S");
        }
        return lease;
    }

    private Duration phase(String key) {
        return duration(key, Duration.ZERO, Duration.ofDays(365), "PT5M");
    }

    private Duration duration(String key, Duration least, Duration most, String example) {
        Setting setting = setting(key);
        String rule = "a duration such as " + example + ", from " + least + " to " + most;
        try {
            Duration duration = Duration.parse(setting.value());
            if (duration.compareTo(least) < 0 || duration.compareTo(most) > 0) {
                throw setting.wrong(rule);
            }
            return duration;
        } catch (DateTimeParseException e) {
            throw setting.wrong(rule);
        }
    }

    // ------------------------------------------------------------------ what is said

    /** It says already on which line. */
    private static final class BrokenRule extends IllegalArgumentException {
        private static final long serialVersionUID = 1;

        BrokenRule(String message) {
            super(message);
        }
    }

    private static IllegalArgumentException wrong(int line, String why) {
        return new BrokenRule("line " + line + ": " + why);
    }

    /** Returns text as it can be shown: a file that is no plan may hold anything. */
    private static String quoted(String text) {
        String shown = text.replaceAll("\\p{Cntrl}", "?");
        return "'" + (shown.length() > LONGEST_QUOTE ? shown.substring(0, LONGEST_QUOTE) + "..." : shown) + "'";
    }
}
