package io.shardwright.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.util.Locale;

/**
 * Heap that a server holds with 100,000 shards and 1,000 executors, after a full collection; the memory store is part
 * of it.
 */
public final class HeapSize {

    private static final int EXECUTORS = 1000;
    private static final int SHARDS = 100_000;

    private HeapSize() {}

    /** Runs. */
    public static void main(String[] args) throws Exception {
        long empty = used();
        try (Lab lab = Lab.served(EXECUTORS, SHARDS)) {
            long full = used();
            System.out.printf(
                    Locale.ROOT,
                    "heap with %d executors and %d shards: %.1f MiB (%.1f MiB before the server started; %d shards owned)%n",
                    EXECUTORS,
                    SHARDS,
                    full / 1048576.0,
                    empty / 1048576.0,
                    lab.sets(EXECUTORS).stream().mapToInt(set -> set.size()).sum());
        }
    }

    private static long used() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        for (int i = 0; i < 3; i++) {
            memory.gc();
        }
        return memory.getHeapMemoryUsage().getUsed();
    }
}
