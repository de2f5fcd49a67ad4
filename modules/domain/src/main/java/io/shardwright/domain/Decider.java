package io.shardwright.domain;

import io.shardwright.domain.balance.BalanceInput;
import io.shardwright.domain.balance.Balancer;
import io.shardwright.domain.balance.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Turns what happened in a namespace into what is to be stored: the transition table of {@link Shard}, driven by events
 * and a balancer.
 *
 * <p>Pure: equal situations give equal decisions. The caller guarantees the safety conditions that need a clock: an
 * executor is only named as lost, and a shard only as freed, when its owner can no longer believe that it holds it
 * (section 5 of the architecture).
 */
public final class Decider {

    private final Situation situation;
    private final TreeMap<ExecutorId, Executor> executors;
    private final TreeMap<ShardKey, Shard> changed = new TreeMap<>();
    private final TreeMap<ShardKey, String> reasons = new TreeMap<>();
    private final List<ShardKey> order = new ArrayList<>();
    private final TreeSet<ShardKey> gone = new TreeSet<>();
    private final Drains drains;
    private final TreeSet<ExecutorId> receivers = new TreeSet<>();
    private ShardTable table;

    private Decider(Situation situation) {
        this.situation = situation;
        this.table = situation.table();
        this.executors = new TreeMap<>(situation.executors());
        this.executors.putAll(situation.events().registered());
        situation.events().lost().forEach(this.executors::remove);
        this.drains = situation.events().drains().orElse(situation.drains());
        executors.forEach((id, executor) -> {
            if (active(executor) && !drains.drained(executor)) {
                receivers.add(id);
            }
        });
    }

    /** Decides. O(S) for S shards, and O(S) more for each executor that was lost or replaced. */
    public static Decision decide(Situation situation, Balancer balancer) {
        Decider decider = new Decider(situation);
        decider.raise();
        decider.forgetIdle();
        decider.drain();
        decider.free();
        decider.replace();
        decider.lose();
        decider.create();
        decider.balance(balancer);
        return decider.decision();
    }

    private static boolean active(Executor executor) {
        return executor.status() == Executor.Status.ACTIVE;
    }

    /** May get shards. */
    private boolean eligible(ExecutorId id) {
        return receivers.contains(id);
    }

    /** May go on with its shards, because nobody else could: its host is drained, as is every other. */
    private boolean keeps(ExecutorId id) {
        Executor executor = executors.get(id);
        return receivers.isEmpty() && executor != null && active(executor);
    }

    private void raise() {
        situation
                .events()
                .raised()
                .forEach((key, epoch) -> table.find(key).ifPresent(shard -> {
                    if (epoch >= shard.epoch()) {
                        set(
                                shard.raiseTo(epoch + 1),
                                "an executor reported epoch " + epoch + ", which is ahead of the stored "
                                        + shard.epoch());
                    }
                }));
        flush();
    }

    private void forgetIdle() {
        for (ShardKey key : situation.events().idle()) {
            table.find(key).ifPresent(shard -> gone.add(key));
        }
        if (!gone.isEmpty()) {
            table = table.with(List.of(), gone);
        }
    }

    private void drain() {
        for (ShardKey key : drains.shards().keySet()) {
            table.find(key)
                    .ifPresent(shard -> shard.owner()
                            .map(owner -> shard.release(owner, Optional.empty()))
                            .filter(released -> !released.equals(shard))
                            .ifPresent(released -> set(released, "it is drained")));
        }
        flush();
    }

    private void free() {
        for (ShardKey key : situation.events().freed()) {
            table.find(key).ifPresent(shard -> set(handOn(shard), "its owner let it go"));
        }
        flush();
    }

    /** A new process under a known id: it gets the shards of its predecessor back, at new epochs. */
    private void replace() {
        for (ExecutorId id : situation.events().replaced()) {
            for (Shard shard : table.ownedBy(id)) {
                if ((eligible(id) || keeps(id)) && !drains.drained(shard.key())) {
                    set(shard.assignTo(id), "a new process of " + id + " took over");
                } else {
                    set(shard.unassign(), "the process of " + id + " was replaced");
                }
            }
        }
        flush();
    }

    private void lose() {
        for (ExecutorId id : situation.events().lost()) {
            for (Shard shard : table.ownedBy(id)) {
                set(handOn(shard), "the lease of " + id + " ended");
            }
        }
        flush();
    }

    private void create() {
        if (receivers.isEmpty()) {
            return;
        }
        for (ShardKey key : situation.events().wanted()) {
            if (table.find(key).isEmpty() && !drains.drained(key)) {
                set(table.fresh(key), "somebody asked for it");
            }
        }
        flush();
    }

    private void balance(Balancer balancer) {
        Plan plan = balancer.plan(new BalanceInput(
                table, List.copyOf(receivers), drains::drained, situation.load(), situation.loadMoves()));
        for (Plan.Move move : plan.moves()) {
            Shard shard = table.find(move.shard()).orElseThrow();
            if (shard.owner().filter(this::keeps).isPresent()) {
                continue;
            }
            switch (shard.state()) {
                case Shard.State.Unassigned() -> move.to().ifPresent(to -> set(shard.assignTo(to), move.reason()));
                case Shard.State.Assigned(ExecutorId owner) -> set(shard.release(owner, move.to()), move.reason());
                // Whom it was to go to was not told, so another one may get it as well.
                case Shard.State.Releasing(ExecutorId owner, Optional<ExecutorId> next) ->
                    set(shard.release(owner, move.to()), move.reason());
            }
        }
        flush();
    }

    /** A leaving executor goes with its last shard. */
    private Decision decision() {
        TreeSet<ExecutorId> holding = new TreeSet<>();
        table.forEach(shard -> shard.owner().ifPresent(holding::add));
        TreeSet<ExecutorId> goneExecutors = new TreeSet<>();
        situation.events().lost().stream()
                .filter(situation.executors()::containsKey)
                .forEach(goneExecutors::add);
        executors.forEach((id, executor) -> {
            if (executor.status() == Executor.Status.LEAVING && !holding.contains(id)) {
                goneExecutors.add(id);
            }
        });
        SortedMap<ExecutorId, Executor> put = new TreeMap<>();
        situation.events().registered().forEach((id, executor) -> {
            if (!goneExecutors.contains(id)
                    && !executor.equals(situation.executors().get(id))) {
                put.put(id, executor);
            }
        });
        goneExecutors.removeIf(id -> !situation.executors().containsKey(id));
        List<Shard> shards = new ArrayList<>();
        List<Decision.Transition> transitions = new ArrayList<>();
        for (ShardKey key : order) {
            Optional<Shard> before = situation.table().find(key);
            Optional<Shard> after = table.find(key);
            if (after.isPresent() && !after.equals(before)) {
                shards.add(after.get());
                transitions.add(new Decision.Transition(before, after.get(), reasons.getOrDefault(key, "")));
            }
        }
        return new Decision(new Change(put, goneExecutors, shards, gone, changedDrains()), transitions);
    }

    private Optional<Drains> changedDrains() {
        return situation.events().drains().filter(wanted -> !wanted.equals(situation.drains()));
    }

    /** The shard without its owner: with the executor that was to get it, if that one still can, else without any. */
    private Shard handOn(Shard shard) {
        Optional<ExecutorId> next =
                shard.state() instanceof Shard.State.Releasing(ExecutorId owner, Optional<ExecutorId> to)
                        ? to.filter(this::eligible)
                        : Optional.empty();
        return next.map(shard::assignTo).orElseGet(shard::unassign);
    }

    private void set(Shard shard, String reason) {
        String earlier = reasons.get(shard.key());
        if (earlier == null) {
            order.add(shard.key());
            reasons.put(shard.key(), reason);
        } else if (!earlier.equals(reason)) {
            reasons.put(shard.key(), earlier + "; " + reason);
        }
        changed.put(shard.key(), shard);
    }

    private void flush() {
        table = table.with(changed.values(), List.of());
        changed.clear();
    }
}
