package io.shardwright.sim.check;

import io.shardwright.proto.v1.Assignment;
import io.shardwright.proto.v1.AssignmentDelivery;
import io.shardwright.proto.v1.RegisterResponse;
import io.shardwright.proto.v1.RenewRequest;
import io.shardwright.proto.v1.RenewResponse;
import io.shardwright.proto.v1.ShardClaim;
import io.shardwright.proto.v1.ShardEpoch;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * S8, seen in what an executor does: it starts a shard only if the newest set of the server process that it has to
 * follow lists it. That is the process that answered its latest registration or renewal.
 */
final class DeliveryOrder implements Invariant {

    private static final class Known {
        private long followedCall;
        private String followed = "";
        private final TreeMap<String, Newest> sets = new TreeMap<>(); // by incarnation
    }

    private record Newest(long revision, TreeSet<String> shards) {}

    private final TreeMap<String, Known> executors = new TreeMap<>();

    @Override
    public String id() {
        return "S8";
    }

    @Override
    public String statement() {
        return "an executor follows the process that answered last, and never goes back to an older set of it";
    }

    @Override
    public void registered(World.Executor executor, ExecutorCall call, RegisterResponse answer, World world) {
        if (answer.hasAssignment()) {
            answered(executor, call, answer.getAssignment());
        }
    }

    @Override
    public void renewed(
            World.Executor executor, ExecutorCall call, RenewRequest request, RenewResponse answer, World world) {
        switch (answer.getResultCase()) {
            case ASSIGNMENT -> answered(executor, call, answer.getAssignment());
            case CONFIRMED -> {
                TreeSet<String> claimed = new TreeSet<>();
                for (ShardClaim claim : request.getClaimsList()) {
                    claimed.add(claim.getShardKey() + "@" + claim.getEpoch());
                }
                follow(executor, call, answer.getConfirmed().getIncarnation());
                take(
                        executor,
                        answer.getConfirmed().getIncarnation(),
                        answer.getConfirmed().getRevision(),
                        claimed);
            }
            case RESULT_NOT_SET -> {}
        }
    }

    @Override
    public void pushed(World.Executor executor, AssignmentDelivery delivery, World world) {
        if (delivery.hasAssignment()) {
            Assignment set = delivery.getAssignment();
            take(executor, set.getIncarnation(), set.getRevision(), keys(set.getShardsList()));
        }
    }

    private void answered(World.Executor executor, ExecutorCall call, Assignment set) {
        follow(executor, call, set.getIncarnation());
        take(executor, set.getIncarnation(), set.getRevision(), keys(set.getShardsList()));
    }

    private static TreeSet<String> keys(List<ShardEpoch> shards) {
        TreeSet<String> keys = new TreeSet<>();
        shards.forEach(shard -> keys.add(shard.getShardKey() + "@" + shard.getEpoch()));
        return keys;
    }

    private Known known(World.Executor executor) {
        return executors.computeIfAbsent(executor.owner(), owner -> new Known());
    }

    private void follow(World.Executor executor, ExecutorCall call, String incarnation) {
        Known known = known(executor);
        if (call.number() > known.followedCall) {
            known.followedCall = call.number();
            known.followed = incarnation;
        }
    }

    private void take(World.Executor executor, String incarnation, long revision, TreeSet<String> shards) {
        known(executor)
                .sets
                .merge(
                        incarnation,
                        new Newest(revision, shards),
                        (old, now) -> Long.compareUnsigned(now.revision(), old.revision()) >= 0 ? now : old);
    }

    @Override
    public void starting(World.Executor executor, String shard, long epoch, World world) {
        Known known = known(executor);
        Newest newest = known.sets.getOrDefault(known.followed, new Newest(0, new TreeSet<>()));
        if (!newest.shards().contains(shard + "@" + epoch)) {
            world.violated(
                    this,
                    executor.owner() + " starts shard " + shard + " at epoch " + epoch
                            + ", which the newest set of the process it follows (revision " + newest.revision()
                            + ") does not list");
        }
    }
}
