package io.shardwright.control;

import io.shardwright.domain.Drains;
import io.shardwright.domain.Executor;
import io.shardwright.domain.ExecutorId;
import io.shardwright.domain.Shard;
import io.shardwright.domain.ShardKey;
import io.shardwright.domain.ShardTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** Calls that are answered when what they ask for is stored, or cannot be. */
final class Waiting {

    /** A registration that is to be stored. */
    record Registration(Executor executor, List<Claim> claims, List<Call<Answers.Registered>> calls) {}

    /** A release whose shards are on their way to somebody else. */
    record Release(
            ExecutorId executor, List<Delivery.Entry> shards, List<ShardKey> notHeld, Call<Answers.Released> call) {}

    /** A goodbye. By the time it is decided on, another process may have the id. */
    record Leave(Answers.Caller caller, Call<Answers.Leaving> call) {}

    /** A change of what is drained. */
    record DrainCall(UnaryOperator<Drains> change, Call<Answers.Drained> call) {}

    /** A change of what is drained that is to be stored, with what it changes. */
    record Draining(Answers.Drained answer, Call<Answers.Drained> call) {}

    final TreeMap<ExecutorId, Registration> registrations = new TreeMap<>();
    final List<Leave> leaves = new ArrayList<>();
    final TreeMap<ShardKey, List<Call<Answers.Owner>>> lookups = new TreeMap<>();
    final List<Release> releases = new ArrayList<>();
    final List<DrainCall> drains = new ArrayList<>();
    final List<Draining> draining = new ArrayList<>();

    boolean isEmpty() {
        return registrations.isEmpty()
                && leaves.isEmpty()
                && lookups.isEmpty()
                && releases.isEmpty()
                && drains.isEmpty()
                && draining.isEmpty();
    }

    /** Moves everything that waits into a new object, so that what comes in later waits for the next decision. */
    Waiting takeAll() {
        Waiting taken = new Waiting();
        taken.registrations.putAll(registrations);
        taken.leaves.addAll(leaves);
        taken.lookups.putAll(lookups);
        taken.releases.addAll(releases);
        taken.drains.addAll(drains);
        taken.draining.addAll(draining);
        registrations.clear();
        leaves.clear();
        lookups.clear();
        releases.clear();
        drains.clear();
        draining.clear();
        return taken;
    }

    /** Refuses everybody. */
    void refuseAll(Reply.Refusal refusal) {
        Waiting taken = takeAll();
        taken.registrations.values().forEach(waiting -> waiting.calls().forEach(call -> call.refuse(refusal)));
        taken.leaves.forEach(leave -> leave.call().refuse(refusal));
        taken.lookups.values().forEach(calls -> calls.forEach(call -> call.refuse(refusal)));
        taken.releases.forEach(release -> release.call().refuse(refusal));
        taken.drains.forEach(waiting -> waiting.call().refuse(refusal));
        taken.draining.forEach(waiting -> waiting.call().refuse(refusal));
    }

    /** Answers everybody from the state as it now is stored. */
    void answerAll(NamespaceCalls state, ShardTable table) {
        registrations.values().forEach(waiting -> {
            Reply<Answers.Registered> reply =
                    state.registered(waiting.executor().id());
            waiting.calls().forEach(call -> call.accept(reply));
        });
        leaves.forEach(leave -> leave.call().ok(new Answers.Leaving(state.toRelease(leave.caller()))));
        lookups.forEach((key, calls) -> {
            Reply<Answers.Owner> reply = state.owner(key);
            calls.forEach(call -> call.accept(reply));
        });
        draining.forEach(waiting -> waiting.call().ok(waiting.answer()));
        releases.forEach(release -> {
            boolean stored = release.shards().stream()
                    .noneMatch(shard -> table.find(shard.key())
                            .filter(now -> now.epoch() == shard.epoch())
                            .flatMap(Shard::owner)
                            .equals(Optional.of(release.executor())));
            if (stored) {
                release.call().ok(new Answers.Released(release.notHeld()));
            } else {
                release.call().refuse(new Reply.Refusal.StoreUnavailable("the release is not stored yet; repeat it"));
            }
        });
    }
}
