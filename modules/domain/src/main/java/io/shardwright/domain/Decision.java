package io.shardwright.domain;

import java.util.List;
import java.util.Optional;

/**
 * What to change, and why.
 *
 * @param change what to store
 * @param transitions one for each shard whose owner changes or is asked to let go, in the order of their urgency
 */
public record Decision(Change change, List<Transition> transitions) {

    public Decision {
        transitions = List.copyOf(transitions);
    }

    /**
     * What happens to a shard.
     *
     * @param before the shard as it was; empty: it is created
     * @param after the shard as it will be
     * @param reason why, in one sentence
     */
    public record Transition(Optional<Shard> before, Shard after, String reason) {}
}
