package io.shardwright.sim.check;

import java.util.TreeMap;

/** L6, the part that can be seen at any time: nobody calls again and again without a pause. */
final class NoStorm implements Invariant {

    private static final long WINDOW = 1_000_000_000L;
    private static final int CALLS = 150; // an executor that loses all its shards releases each of them

    private static final class Window {
        private long begin;
        private int calls;
    }

    private final TreeMap<String, Window> windows = new TreeMap<>();

    @Override
    public String id() {
        return "L6";
    }

    @Override
    public String statement() {
        return "calls that fail are not repeated without a pause";
    }

    @Override
    public void called(World.Executor executor, World world) {
        Window window = windows.computeIfAbsent(executor.owner(), owner -> new Window());
        if (world.now() - window.begin > WINDOW) {
            window.begin = world.now();
            window.calls = 0;
        }
        if (++window.calls > CALLS) {
            world.violated(this, executor.owner() + " made more than " + CALLS + " calls in a second");
        }
    }
}
