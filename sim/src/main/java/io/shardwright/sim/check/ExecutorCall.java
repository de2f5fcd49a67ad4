package io.shardwright.sim.check;

/**
 * A call of an executor.
 *
 * @param number grows with each call of the process
 * @param sentAt reading of the executor's own clock when it was sent
 */
public record ExecutorCall(long number, long sentAt) {}
