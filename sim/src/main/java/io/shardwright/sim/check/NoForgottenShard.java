package io.shardwright.sim.check;

import io.shardwright.proto.v1.RegisterRequest;
import io.shardwright.proto.v1.RenewRequest;
import io.shardwright.proto.v1.ShardActivity;
import io.shardwright.proto.v1.ShardClaim;
import io.shardwright.sim.network.Wire;
import java.util.List;
import java.util.TreeMap;

/** S5, for an ephemeral namespace: what was created stays until its owner says that nobody asks for it. */
final class NoForgottenShard implements Invariant {

    private record Idle(long epoch, String executorId) {}

    private final String namespace;
    private final TreeMap<String, Idle> idle = new TreeMap<>(); // the newest report of each shard

    NoForgottenShard(String namespace) {
        this.namespace = namespace;
    }

    @Override
    public String id() {
        return "S5";
    }

    @Override
    public String statement() {
        return "an ephemeral shard is forgotten only after its owner said that nobody asks for it";
    }

    @Override
    public void delivered(Wire.Packet packet, World world) {
        switch (packet.content()) {
            case RenewRequest renewal
            when renewal.getNamespace().equals(namespace) -> idle(renewal.getClaimsList(), renewal.getExecutorId());
            case RegisterRequest registration
            when registration.getNamespace().equals(namespace) ->
                idle(registration.getClaimsList(), registration.getExecutorId());
            default -> {}
        }
    }

    private void idle(List<ShardClaim> claims, String executorId) {
        for (ShardClaim claim : claims) {
            if (claim.getActivity() == ShardActivity.SHARD_ACTIVITY_IDLE) {
                idle.merge(
                        claim.getShardKey(),
                        new Idle(claim.getEpoch(), executorId),
                        (old, now) -> now.epoch() >= old.epoch() ? now : old);
            }
        }
    }

    @Override
    public void stored(Stored change, World world) {
        if (!(change instanceof Stored.ShardChanged shard)
                || !shard.namespace().equals(namespace)
                || shard.after().isPresent()
                || shard.before().isEmpty()) {
            return;
        }
        Stored.Ownership before = shard.before().get();
        Idle reported = idle.getOrDefault(shard.key(), new Idle(0, ""));
        if (reported.epoch() != before.epoch() || !reported.executorId().equals(before.owner())) {
            world.violated(
                    this,
                    "shard " + shard.key() + " of " + (before.owner().isEmpty() ? "nobody" : before.owner())
                            + " at epoch " + before.epoch() + " was forgotten in revision " + shard.revision()
                            + " although nobody had said that it is idle");
        }
    }
}
