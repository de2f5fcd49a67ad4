package io.shardwright.sim.check;

import java.time.Duration;

/** S11: what a router says of the age of its table. */
final class TrueAge implements Invariant {

    /**
     * By how much an age may be too small: the longest time that a message stays on a connection that is not given up,
     * and the time that a replica which lost its leadership unknowingly still believes in it.
     */
    static final Duration BOUND = Duration.ofSeconds(30);

    private final String namespace;

    TrueAge(String namespace) {
        this.namespace = namespace;
    }

    @Override
    public String id() {
        return "S11";
    }

    @Override
    public String statement() {
        return "a router's table is never older than the age it states";
    }

    @Override
    public void routed(String spectator, long revision, Duration age, World world) {
        long then = world.now() - age.toNanos() - BOUND.toNanos();
        long must = world.ledger().shardRevisionAt(namespace, then);
        if (Long.compareUnsigned(revision, must) < 0) {
            world.violated(
                    this,
                    spectator + " says its table is " + age.toMillis() + " ms old, but it holds revision " + revision
                            + " where revision " + must + " was stored " + (world.now() - then) / 1_000_000
                            + " ms ago or earlier");
        }
    }
}
