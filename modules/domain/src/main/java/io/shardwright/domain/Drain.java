package io.shardwright.domain;

import java.time.Instant;

/**
 * Why something is kept free of work, for people.
 *
 * @param by who asked for it; empty: not said
 * @param reason why; empty: not said
 * @param at when it was asked for, by the clock of the server
 */
public record Drain(String by, String reason, Instant at) {

    private static final int MAX_BY = 128;
    private static final int MAX_REASON = 512;

    /**
     * Checks the fields.
     *
     * @throws InvalidField when one breaks its rule
     */
    public Drain {
        InvalidField.requireText("drained_by", by, MAX_BY);
        InvalidField.requireText("reason", reason, MAX_REASON);
    }
}
