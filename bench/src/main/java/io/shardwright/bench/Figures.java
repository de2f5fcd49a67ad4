package io.shardwright.bench;

import java.util.Arrays;
import java.util.Locale;

/** Prints distributions. */
final class Figures {

    private Figures() {}

    /** Prints median, 99th percentile and maximum of nanoseconds, as milliseconds. */
    static void printMillis(String what, long[] nanos) {
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        System.out.printf(
                Locale.ROOT,
                "%-48s n=%-8d p50 %8.2f ms   p99 %8.2f ms   max %8.2f ms%n",
                what,
                sorted.length,
                at(sorted, 0.5) / 1e6,
                at(sorted, 0.99) / 1e6,
                sorted[sorted.length - 1] / 1e6);
    }

    private static long at(long[] sorted, double share) {
        return sorted[(int) Math.min(sorted.length - 1L, (long) (share * sorted.length))];
    }
}
