package io.shardwright.sim.check;

import io.shardwright.proto.v1.Assignment;
import io.shardwright.proto.v1.AssignmentDelivery;
import io.shardwright.proto.v1.RegisterResponse;
import io.shardwright.proto.v1.RenewResponse;
import io.shardwright.proto.v1.RoutingEvent;
import io.shardwright.proto.v1.ShardEpoch;
import io.shardwright.proto.v1.ShardRoute;
import io.shardwright.sim.network.Wire;
import java.util.List;

/** S4. Looked at when a message leaves the server. */
final class ToldIsStored implements Invariant {

    private final String namespace;
    private final String ephemeral;

    /**
     * @param namespace whose shard keys are numbers
     * @param ephemeral whose shard keys are none
     */
    ToldIsStored(String namespace, String ephemeral) {
        this.namespace = namespace;
        this.ephemeral = ephemeral;
    }

    @Override
    public String id() {
        return "S4";
    }

    @Override
    public String statement() {
        return "nobody is told of an assignment that was never stored";
    }

    @Override
    public void sent(Wire.Packet packet, World world) {
        switch (packet.content()) {
            case RegisterResponse answer -> assignment(answer.getAssignment(), packet, world);
            case RenewResponse answer -> assignment(answer.getAssignment(), packet, world);
            case AssignmentDelivery push -> assignment(push.getAssignment(), packet, world);
            case RoutingEvent event -> {
                routes(event.getSnapshot().getShardsList(), packet, world);
                routes(event.getDelta().getShardsList(), packet, world);
            }
            default -> {}
        }
    }

    @Override
    public void found(String spectator, String shard, long epoch, String owner, World world) {
        if (!world.ledger().everOwned(ephemeral, shard, epoch, owner)) {
            world.violated(
                    this,
                    spectator + " was told that " + owner + " has shard " + shard + " at epoch " + epoch
                            + ", which was never stored");
        }
    }

    private void assignment(Assignment set, Wire.Packet packet, World world) {
        if (set.getShardsCount() == 0) {
            return;
        }
        // Who is told may have died a moment ago, and nobody knows yet.
        List<String> ids = world.executorIdsOf(packet.to());
        String its = world.namespaceOf(packet.to());
        for (ShardEpoch shard : set.getShardsList()) {
            String owner = ids.stream()
                    .filter(id -> world.ledger().everOwned(its, shard.getShardKey(), shard.getEpoch(), id))
                    .findFirst()
                    .orElse(ids.getFirst());
            check(its, shard.getShardKey(), shard.getEpoch(), owner, packet, world);
        }
    }

    private void routes(List<ShardRoute> routes, Wire.Packet packet, World world) {
        for (ShardRoute route : routes) {
            if (!route.getOwner().isEmpty()) {
                check(ofRoute(route), route.getShardKey(), route.getEpoch(), route.getOwner(), packet, world);
            }
        }
    }

    private void check(String its, String key, long epoch, String owner, Wire.Packet packet, World world) {
        if (!world.ledger().everOwned(its, key, epoch, owner)) {
            world.violated(
                    this,
                    packet.from() + " told " + packet.to() + " that " + owner + " has shard " + key + " at epoch "
                            + epoch + ", which was never stored");
        }
    }

    /** A routing stream does not say of which namespace it is; the keys do. */
    private String ofRoute(ShardRoute route) {
        return Character.isDigit(route.getShardKey().charAt(0)) ? namespace : ephemeral;
    }
}
