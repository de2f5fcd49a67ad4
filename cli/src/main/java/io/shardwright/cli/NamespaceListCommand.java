package io.shardwright.cli;

import com.google.gson.JsonObject;
import io.shardwright.cli.output.Cell;
import io.shardwright.cli.output.JsonFields;
import io.shardwright.cli.output.Names;
import io.shardwright.cli.output.Table;
import io.shardwright.proto.v1.ListNamespacesRequest;
import io.shardwright.proto.v1.ListNamespacesResponse;
import io.shardwright.proto.v1.Namespace;
import io.shardwright.proto.v1.NamespaceKind;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code shardctl namespace list}. */
@Command(
        name = "list",
        aliases = "ls",
        description = "Lists all namespaces, sorted by name.",
        footer = {
            "Examples:",
            "  shardctl namespace list",
            "  shardctl ns ls --output json",
            "",
            "JSON: {\"namespaces\": [{name, kind, shardCount, leaseMillis, balancer}]}"
        })
final class NamespaceListCommand implements Callable<Integer> {
    private final Session session;

    NamespaceListCommand(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        ListNamespacesResponse answer =
                session.server().admin(stub -> stub.listNamespaces(ListNamespacesRequest.getDefaultInstance()));
        session.show(() -> table(answer), () -> json(answer));
        return ExitCodes.OK;
    }

    private static List<String> table(ListNamespacesResponse answer) {
        Table table = new Table().left("NAME", "KIND").right("SHARDS", "LEASE").left("BALANCER");
        for (Namespace namespace : answer.getNamespacesList()) {
            boolean fixed = namespace.getKind() == NamespaceKind.NAMESPACE_KIND_FIXED;
            table.row(
                    Cell.text(namespace.getName()),
                    Names.of(namespace.getKind()),
                    fixed ? Cell.number(namespace.getShardCount()) : Cell.NONE,
                    Cell.duration(namespace.getLeaseMillis()),
                    Cell.text(namespace.getBalancer()));
        }
        return table.lines();
    }

    private static JsonObject json(ListNamespacesResponse answer) {
        JsonObject json = new JsonObject();
        json.add("namespaces", JsonFields.array(answer.getNamespacesList(), JsonFields::namespace));
        return json;
    }
}
