package io.shardwright.cli;

import com.google.gson.JsonObject;
import io.shardwright.cli.output.Cell;
import io.shardwright.cli.output.DrainOutput;
import io.shardwright.cli.output.JsonFields;
import io.shardwright.cli.output.Table;
import io.shardwright.proto.v1.DrainedHost;
import io.shardwright.proto.v1.ListDrainsRequest;
import io.shardwright.proto.v1.ListDrainsResponse;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code shardctl executor list-drained}. */
@Command(
        name = "list-drained",
        description = {
            "Lists the drained hosts of a namespace, sorted by name.",
            "SHARDS is what their executors still hold: at 0 it is safe to stop them."
        },
        footer = {
            "Examples:",
            "  shardctl executor list-drained --namespace orders",
            "  shardctl ex list-drained -n orders -o json",
            "",
            "JSON: {\"hosts\": [{host, executorCount, shardCount, drainedBy, reason, drainedAt}]}",
            "drainedBy and reason are null where there is none; drainedAt is a time of ISO 8601."
        })
final class ExecutorListDrainedCommand implements Callable<Integer> {
    private final Session session;

    ExecutorListDrainedCommand(Session session) {
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
        Table table = new Table().left("HOST", "DRAINED BY", "SINCE", "REASON").right("EXECUTORS", "SHARDS");
        for (DrainedHost host : answer.getHostsList()) {
            table.row(
                    Cell.text(host.getHost()),
                    Cell.text(host.getDrain().getDrainedBy()),
                    DrainOutput.since(host.getDrain()),
                    Cell.text(host.getDrain().getReason()),
                    Cell.number(host.getExecutorCount()),
                    Cell.number(host.getShardCount()));
        }
        return table.lines();
    }

    private static JsonObject json(ListDrainsResponse answer) {
        JsonObject json = new JsonObject();
        json.add("hosts", JsonFields.array(answer.getHostsList(), host -> {
            JsonObject one = new JsonObject();
            one.addProperty("host", host.getHost());
            one.add("executorCount", JsonFields.number(host.getExecutorCount()));
            one.add("shardCount", JsonFields.number(host.getShardCount()));
            DrainOutput.addTo(one, host.getDrain());
            return one;
        }));
        return json;
    }
}
