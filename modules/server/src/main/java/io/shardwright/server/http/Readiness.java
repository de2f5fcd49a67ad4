package io.shardwright.server.http;

/**
 * Whether this process should get calls. Asked for each request of {@code /readyz}; has to answer from memory.
 * Thread-safe.
 */
@FunctionalInterface
public interface Readiness {
    /** The state now. */
    State state();

    /**
     * A state with its reason.
     *
     * @param ready whether calls should come here
     * @param reason one sentence for an operator, also when ready
     */
    record State(boolean ready, String reason) {}
}
