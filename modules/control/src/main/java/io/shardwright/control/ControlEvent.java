package io.shardwright.control;

import io.shardwright.domain.Drains;
import io.shardwright.domain.Executor;
import io.shardwright.domain.ExecutorId;
import io.shardwright.domain.Namespace;
import io.shardwright.domain.NamespaceName;
import io.shardwright.domain.Shard;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Something that happened, for logs, metrics and the dashboard. Told after it was stored. */
public sealed interface ControlEvent {

    /** The namespace it happened in. */
    NamespaceName namespace();

    /** A namespace was created. */
    record NamespaceCreated(Namespace settings) implements ControlEvent {
        @Override
        public NamespaceName namespace() {
            return settings.name();
        }
    }

    /** A namespace was deleted. */
    record NamespaceDeleted(NamespaceName namespace) implements ControlEvent {}

    /** An executor registered; {@code again} when its record existed (a new process, or changed labels). */
    record ExecutorRegistered(NamespaceName namespace, Executor executor, boolean again) implements ControlEvent {}

    /** An executor began to leave. */
    record ExecutorLeaving(NamespaceName namespace, ExecutorId executor) implements ControlEvent {}

    /** An executor is gone; {@code lost} when its lease ended, else it left. */
    record ExecutorGone(NamespaceName namespace, ExecutorId executor, boolean lost) implements ControlEvent {}

    /** A shard changed; {@code before} is empty when it was created. */
    record ShardChanged(NamespaceName namespace, Optional<Shard> before, Shard after, String reason)
            implements ControlEvent {}

    /** An ephemeral shard was forgotten. */
    record ShardForgotten(NamespaceName namespace, Shard shard) implements ControlEvent {}

    /** Shards or hosts were drained, or taken back. */
    record Drained(NamespaceName namespace, Drains before, Drains after) implements ControlEvent {

        private static final int NAMED = 10;

        /** What changed, for people. */
        public List<String> sentences() {
            List<String> sentences = new ArrayList<>();
            add(sentences, "drained: ", after.without(before));
            add(sentences, "no longer drained: ", before.without(after));
            return sentences;
        }

        private static void add(List<String> sentences, String what, List<String> names) {
            if (!names.isEmpty()) {
                String some = String.join(", ", names.subList(0, Math.min(NAMED, names.size())));
                sentences.add(what + some + (names.size() > NAMED ? " and " + (names.size() - NAMED) + " more" : ""));
            }
        }
    }

    /** Leases that ended were not acted on: too many at once, or this process had stood still (B7). */
    record LossHeldBack(NamespaceName namespace, int executors, String reason) implements ControlEvent {}

    /** The store refused a change, or does not say whether it took one; the message is a sentence of its own. */
    record StoreTrouble(NamespaceName namespace, String message) implements ControlEvent {}

    /**
     * What is stored is not what the leader stored: somebody else changed it, or the store lost what it had
     * acknowledged. The leader steps down, and whoever leads next reads everything anew.
     */
    record ForeignState(NamespaceName namespace) implements ControlEvent {

        /** A sentence for people. */
        public static final String MESSAGE =
                "what is stored is not what this leader stored: somebody else changed it, or"
                        + " the store lost a change that it had acknowledged; this leader steps down";
    }
}
