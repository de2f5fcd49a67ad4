package io.shardwright.sim.check;

/**
 * An invariant that did not hold.
 *
 * @param id S1 and so on
 * @param time nanoseconds since the beginning of the run
 * @param message one sentence in the words of the domain
 */
public record Violation(String id, long time, String message) {}
