package io.shardwright.server.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds the known key that somebody most likely meant. */
final class NearestKey {
    private NearestKey() {}

    /**
     * The remedy for an unknown key: the nearest known one by edit distance, or the ones that end like it when it
     * stands at the wrong level.
     */
    static String remedy(String unknown, Collection<String> known) {
        String normal = normalise(unknown);
        Optional<String> near = known.stream()
                .min(Comparator.comparingInt((String k) -> distance(normal, normalise(k)))
                        .thenComparing(k -> k))
                .filter(k -> distance(normal, normalise(k)) <= Math.max(2, k.length() / 4));
        if (near.isPresent()) {
            return "Did you mean " + near.get() + "?";
        }
        String leaf = lastWord(normal);
        String elsewhere = known.stream()
                .filter(k -> lastWord(normalise(k)).equals(leaf))
                .sorted()
                .limit(3)
                .collect(Collectors.joining(" or "));
        if (elsewhere.isEmpty()) {
            elsewhere = withACommonWord(normal, known);
        }
        return elsewhere.isEmpty()
                ? "Remove it; `shardwright config show` lists every key."
                : "Did you mean " + elsewhere + "?";
    }

    /** The keys that share the most words with the unknown one, if that tells few enough to be a help. */
    private static String withACommonWord(String normal, Collection<String> known) {
        Set<String> words = words(normal).stream()
                // The prefix of all variables says nothing.
                .filter(word ->
                        !known.stream().allMatch(k -> words(normalise(k)).contains(word)))
                .collect(Collectors.toSet());
        TreeMap<Long, List<String>> byCount = known.stream()
                .collect(Collectors.groupingBy(
                        k -> words(normalise(k)).stream()
                                .filter(words::contains)
                                .count(),
                        TreeMap::new,
                        Collectors.toList()));
        Map.Entry<Long, List<String>> best = byCount.lastEntry();
        return best == null || best.getKey() == 0
                ? ""
                : best.getValue().stream().sorted().limit(3).collect(Collectors.joining(" or "));
    }

    /** The words of a key, without the s of the plural. */
    private static Set<String> words(String key) {
        return Stream.of(key.split("[.-]", -1))
                .map(word -> word.endsWith("s") ? word.substring(0, word.length() - 1) : word)
                .filter(word -> !word.isEmpty())
                .collect(Collectors.toSet());
    }

    /** Levenshtein distance: the number of characters to insert, delete or replace. O(a x b). */
    static int distance(String a, String b) {
        int[] previous = Stream.iterate(0, i -> i + 1)
                .limit(b.length() + 1L)
                .mapToInt(i -> i)
                .toArray();
        for (int i = 1; i <= a.length(); i++) {
            int[] current = new int[b.length() + 1];
            current[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replace = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(replace, Math.min(previous[j], current[j - 1]) + 1);
            }
            previous = current;
        }
        return previous[b.length()];
    }

    /** camelCase, snake_case and upper case all become the kebab-case of our keys; environment levels become dots. */
    private static String normalise(String key) {
        return key.replace("__", ".")
                .replaceAll("([a-z])([A-Z])", "$1-$2")
                .replace('_', '-')
                .toLowerCase(Locale.ROOT);
    }

    private static String lastWord(String key) {
        return key.substring(key.lastIndexOf('.') + 1);
    }
}
