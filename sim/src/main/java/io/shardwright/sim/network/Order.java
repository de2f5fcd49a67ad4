package io.shardwright.sim.network;

/** What keeps messages of one stream in order: nothing arrives before what was sent earlier. */
public final class Order {

    long floor;
}
