package io.shardwright.cli.watch;

import com.google.gson.JsonObject;
import io.shardwright.cli.call.Written;
import io.shardwright.cli.output.JsonFields;
import io.shardwright.cli.output.JsonText;
import io.shardwright.proto.v1.ShardRoute;
import java.io.PrintWriter;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Shows each change as one JSON object on a line of its own. */
public final class JsonLines implements WatchView {
    private final PrintWriter out;
    private final PrintWriter err;
    private final InstantSource clock;

    /** Writes changes to {@code out}, interruptions to {@code err}. */
    public JsonLines(PrintWriter out, PrintWriter err, InstantSource clock) {
        this.out = out;
        this.err = err;
        this.clock = clock;
    }

    @Override
    public void changed(RoutingTable table, List<RoutingChange> changes) {
        changes.forEach(change -> out.println(JsonText.compact(line(table, change))));
        Written.check(out);
    }

    @Override
    public void interrupted(String why) {
        JsonObject json = new JsonObject();
        json.addProperty("warning", why);
        err.println(JsonText.compact(json));
        err.flush();
    }

    @Override
    public void tick(RoutingTable table) {}

    private JsonObject line(RoutingTable table, RoutingChange change) {
        JsonObject json = new JsonObject();
        json.addProperty("type", type(change));
        json.addProperty("time", clock.instant().toString());
        json.add("revision", JsonFields.number(table.revision()));
        switch (change) {
            case RoutingChange.TableRead read -> {
                json.addProperty("incarnation", table.incarnation());
                json.add("executors", JsonFields.array(table.executors(), JsonFields::executor));
                json.add("shards", JsonFields.array(table.shards(), JsonFields::route));
            }
            case RoutingChange.ShardRouted routed -> {
                addAll(json, JsonFields.route(routed.after()));
                addBefore(json, routed.before());
            }
            case RoutingChange.ShardRemoved removed -> {
                json.addProperty("shardKey", removed.before().getShardKey());
                addBefore(json, Optional.of(removed.before()));
            }
            case RoutingChange.ExecutorAdded added -> addAll(json, JsonFields.executor(added.executor()));
            case RoutingChange.ExecutorUpdated updated -> addAll(json, JsonFields.executor(updated.executor()));
            case RoutingChange.ExecutorRemoved removed -> json.addProperty("executorId", removed.executorId());
        }
        return json;
    }

    private static String type(RoutingChange change) {
        return switch (change) {
            case RoutingChange.TableRead read -> "table";
            case RoutingChange.ShardRouted routed -> "shard";
            case RoutingChange.ShardRemoved removed -> "shardRemoved";
            case RoutingChange.ExecutorAdded added -> "executorAdded";
            case RoutingChange.ExecutorUpdated updated -> "executorUpdated";
            case RoutingChange.ExecutorRemoved removed -> "executorRemoved";
        };
    }

    private static void addBefore(JsonObject json, Optional<ShardRoute> before) {
        json.add(
                "previousOwner",
                JsonFields.text(before.map(ShardRoute::getOwner).orElse("")));
        json.add(
                "previousEpoch",
                JsonFields.number(before.map(ShardRoute::getEpoch).orElse(0L)));
    }

    private static void addAll(JsonObject json, JsonObject fields) {
        fields.entrySet().forEach(field -> json.add(field.getKey(), field.getValue()));
    }
}
