package io.shardwright.cli;

import com.google.gson.JsonObject;
import io.shardwright.cli.output.Cell;
import io.shardwright.cli.output.DrainOutput;
import io.shardwright.cli.output.JsonFields;
import io.shardwright.cli.output.Table;
import io.shardwright.proto.v1.DrainedShard;
import io.shardwright.proto.v1.ListDrainsRequest;
import io.shardwright.proto.v1.ListDrainsResponse;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code shardctl shard list-drained}. */
@Command(
        name = "list-drained",
        description = {
            "Lists the drained shards of a namespace, sorted by key.",
            "STILL AT is the executor that has yet to let the shard go."
        },
        footer = {
            "Examples:",
            "  shardctl shard list-drained --namespace orders",
            "  shardctl sh list-drained -n orders -o json",
            "",
            "JSON: {\"shards\": [{shardKey, owner, drainedBy, reason, drainedAt}]}",
            "owner, drainedBy and reason are null where there is none; drainedAt is a time of ISO 8601."
        })
final class ShardListDrainedCommand implements Callable<Integer> {
    private final Session session;

    ShardListDrainedCommand(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        ListDrainsRequest request =
                ListDrainsRequest.newBuilder().setNamespace(session.namespace()).build();
        ListDrainsResponse answer = session.server().admin(stub -> stub.listDrains(request));
        session.show(() -> table(answer), () -> json(answer));
        return ExitCodes.OK;
    }

    private static List<String> table(ListDrainsResponse answer) {
        Table table = new Table().left("SHARD", "STILL AT", "DRAINED BY", "SINCE", "REASON");
        for (DrainedShard shard : answer.getShardsList()) {
            table.row(
                    Cell.text(shard.getShardKey()),
                    Cell.text(shard.getOwner()),
                    Cell.text(shard.getDrain().getDrainedBy()),
                    DrainOutput.since(shard.getDrain()),
                    Cell.text(shard.getDrain().getReason()));
        }
        return table.lines();
    }

    private static JsonObject json(ListDrainsResponse answer) {
        JsonObject json = new JsonObject();
        json.add("shards", JsonFields.array(answer.getShardsList(), shard -> {
            JsonObject one = new JsonObject();
            one.addProperty("shardKey", shard.getShardKey());
            one.add("owner", JsonFields.text(shard.getOwner()));
            DrainOutput.addTo(one, shard.getDrain());
            return one;
        }));
        return json;
    }
}
