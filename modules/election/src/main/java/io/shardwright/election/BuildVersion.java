package io.shardwright.election;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A build version, ordered by the precedence of semantic versions (R149), where numbers inside an identifier count as
 * numbers: {@code rc10} is newer than {@code rc9}.
 *
 * <p>A build of some commits after a tag, as {@code git describe} names it, is newer than the tag where that is a
 * pre-release, but older than anything that may follow it (R150), and older than the tag where that is a release
 * (R151). What follows a {@code +} does not count.
 */
final class BuildVersion implements Comparable<BuildVersion> {

    private static final Pattern FORM = Pattern.compile(
            "v?(\\d{1,18})\\.(\\d{1,18})\\.(\\d{1,18})(?:-(?<tag>[0-9A-Za-z-]+?(?:\\.[0-9A-Za-z-]+?)*?))??(?:-(?<ahead>\\d{1,18})-g[0-9a-f]+)?(?:\\+.*)?");

    private static final Pattern RUN = Pattern.compile("\\d+|\\D+");

    private final List<Long> numbers;
    private final Optional<String> tag;
    private final Optional<Long> ahead;

    private BuildVersion(List<Long> numbers, Optional<String> tag, Optional<Long> ahead) {
        this.numbers = numbers;
        this.tag = tag;
        this.ahead = ahead;
    }

    /** Reads a version; a text that is none is empty, and then neither moves nor is moved for (R152). */
    static Optional<BuildVersion> parse(String text) {
        Matcher form = FORM.matcher(text);
        if (text.length() > 200 || !form.matches()) {
            return Optional.empty();
        }
        List<Long> numbers =
                List.of(Long.parseLong(form.group(1)), Long.parseLong(form.group(2)), Long.parseLong(form.group(3)));
        return Optional.of(new BuildVersion(
                numbers,
                Optional.ofNullable(form.group("tag")),
                Optional.ofNullable(form.group("ahead")).map(Long::parseLong)));
    }

    /** Tells whether one text names a newer version than another; never, where one of them names none. */
    static boolean isNewer(String one, String other) {
        return parse(one)
                .flatMap(newer -> parse(other).map(older -> newer.compareTo(older) > 0))
                .orElse(false);
    }

    @Override
    public int compareTo(BuildVersion other) {
        for (int i = 0; i < numbers.size(); i++) {
            int order = Long.compare(numbers.get(i), other.numbers.get(i));
            if (order != 0) {
                return order;
            }
        }
        if (tag.isPresent() && other.tag.isPresent()) {
            int order = compareTags(tag.get(), other.tag.get());
            return order != 0 ? order : Long.compare(ahead.orElse(0L), other.ahead.orElse(0L));
        }
        if (tag.isPresent() || other.tag.isPresent()) {
            return tag.isPresent() ? -1 : 1;
        }
        return Long.compare(ahead.orElse(Long.MAX_VALUE), other.ahead.orElse(Long.MAX_VALUE));
    }

    private static int compareTags(String one, String other) {
        return compareLists(
                List.of(one.split("\\.", -1)), List.of(other.split("\\.", -1)), BuildVersion::compareIdentifiers);
    }

    /** Numbers are older than words. */
    private static int compareIdentifiers(String one, String other) {
        boolean number = one.matches("\\d+");
        if (number != other.matches("\\d+")) {
            return number ? -1 : 1;
        }
        return compareLists(runs(one), runs(other), BuildVersion::compareRuns);
    }

    private static int compareRuns(String one, String other) {
        boolean numbers = Character.isDigit(one.charAt(0)) && Character.isDigit(other.charAt(0));
        return numbers ? new BigInteger(one).compareTo(new BigInteger(other)) : one.compareTo(other);
    }

    private static List<String> runs(String identifier) {
        List<String> runs = new ArrayList<>();
        Matcher run = RUN.matcher(identifier);
        while (run.find()) {
            runs.add(run.group());
        }
        return runs;
    }

    private static int compareLists(List<String> one, List<String> other, Comparator<String> order) {
        for (int i = 0; i < Math.min(one.size(), other.size()); i++) {
            int compared = order.compare(one.get(i), other.get(i));
            if (compared != 0) {
                return compared;
            }
        }
        return Integer.compare(one.size(), other.size());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof BuildVersion version
                && numbers.equals(version.numbers)
                && tag.equals(version.tag)
                && ahead.equals(version.ahead);
    }

    @Override
    public int hashCode() {
        return numbers.hashCode() * 31 + tag.hashCode();
    }
}
