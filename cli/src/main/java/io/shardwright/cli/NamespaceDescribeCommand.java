package io.shardwright.cli;

import com.google.gson.JsonObject;
import io.shardwright.cli.output.Cell;
import io.shardwright.cli.output.FieldList;
import io.shardwright.cli.output.JsonFields;
import io.shardwright.cli.output.Names;
import io.shardwright.proto.v1.DescribeNamespaceRequest;
import io.shardwright.proto.v1.DescribeNamespaceResponse;
import io.shardwright.proto.v1.Namespace;
import io.shardwright.proto.v1.NamespaceKind;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code shardctl namespace describe}. */
@Command(
        name = "describe",
        description = "Shows the settings and the figures of one namespace.",
        footer = {
            "Examples:",
            "  shardctl namespace describe orders",
            "  SHARDCTL_NAMESPACE=orders shardctl ns describe --output json",
            "",
            "JSON: {\"namespace\": {name, kind, shardCount, leaseMillis, balancer}, executorCount, shardCount,",
            "       unassignedCount, releasingCount, oldestUnassignedMillis, revision}"
        })
final class NamespaceDescribeCommand implements Callable<Integer> {
    private final Session session;

    @Parameters(
            paramLabel = "NAME",
            arity = "0..1",
            defaultValue = "",
            description = "Name of the namespace. Default: that of --namespace.")
    private String name = "";

    NamespaceDescribeCommand(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        String namespace = name.isEmpty() ? session.namespace() : name;
        DescribeNamespaceRequest request =
                DescribeNamespaceRequest.newBuilder().setNamespace(namespace).build();
        DescribeNamespaceResponse answer = session.server().admin(stub -> stub.describeNamespace(request));
        session.show(() -> table(answer), () -> json(answer));
        return ExitCodes.OK;
    }

    /** The settings of a namespace, a line each. */
    static FieldList settings(Namespace namespace) {
        FieldList fields =
                new FieldList().add("Name", Cell.text(namespace.getName())).add("Kind", Names.of(namespace.getKind()));
        if (namespace.getKind() == NamespaceKind.NAMESPACE_KIND_FIXED) {
            fields.add("Fixed shards", Cell.number(namespace.getShardCount()));
        }
        return fields.add("Lease", Cell.duration(namespace.getLeaseMillis()))
                .add("Balancer", Cell.text(namespace.getBalancer()));
    }

    private static List<String> table(DescribeNamespaceResponse answer) {
        String oldest =
                answer.getUnassignedCount() == 0 ? Cell.NONE : Cell.duration(answer.getOldestUnassignedMillis());
        return settings(answer.getNamespace())
                .add("Executors", Cell.number(answer.getExecutorCount()))
                .add("Shards", Cell.number(answer.getShardCount()))
                .add("Unassigned", Cell.number(answer.getUnassignedCount()))
                .add("Oldest unassigned", oldest)
                .add("Releasing", Cell.number(answer.getReleasingCount()))
                .add("Revision", Cell.number(answer.getRevision()))
                .lines();
    }

    private static JsonObject json(DescribeNamespaceResponse answer) {
        JsonObject json = new JsonObject();
        json.add("namespace", JsonFields.namespace(answer.getNamespace()));
        json.add("executorCount", JsonFields.number(answer.getExecutorCount()));
        json.add("shardCount", JsonFields.number(answer.getShardCount()));
        json.add("unassignedCount", JsonFields.number(answer.getUnassignedCount()));
        json.add("releasingCount", JsonFields.number(answer.getReleasingCount()));
        json.add("oldestUnassignedMillis", JsonFields.number(answer.getOldestUnassignedMillis()));
        json.add("revision", JsonFields.number(answer.getRevision()));
        return json;
    }
}
