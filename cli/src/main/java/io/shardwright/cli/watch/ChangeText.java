package io.shardwright.cli.watch;

import io.shardwright.cli.output.Cell;
import io.shardwright.proto.v1.ShardRoute;

/** A change in words, on one line. */
final class ChangeText {
    private ChangeText() {}

    static String of(RoutingTable table, RoutingChange change) {
        return switch (change) {
            case RoutingChange.TableRead read -> summary(table);
            case RoutingChange.ShardRouted routed ->
                "shard " + Cell.text(routed.after().getShardKey()) + ": "
                        + routed.before().map(ChangeText::owner).orElse("new") + " -> " + owner(routed.after());
            case RoutingChange.ShardRemoved removed ->
                "shard " + Cell.text(removed.before().getShardKey()) + ": " + owner(removed.before()) + " -> gone";
            case RoutingChange.ExecutorAdded added ->
                "executor " + Cell.text(added.executor().getExecutorId()) + " joined, address "
                        + Cell.text(added.executor().getAddress());
            case RoutingChange.ExecutorUpdated updated ->
                "executor " + Cell.text(updated.executor().getExecutorId()) + " changed, address "
                        + Cell.text(updated.executor().getAddress());
            case RoutingChange.ExecutorRemoved removed -> "executor " + Cell.text(removed.executorId()) + " left";
        };
    }

    static String summary(RoutingTable table) {
        return table.executors().size() + " executors, " + table.shards().size() + " shards, " + table.unowned()
                + " without an owner";
    }

    private static String owner(ShardRoute route) {
        String owner = route.getOwner().isEmpty() ? "nobody" : Cell.text(route.getOwner());
        return owner + " (epoch " + Cell.number(route.getEpoch()) + ")";
    }
}
