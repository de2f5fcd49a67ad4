package io.shardwright.cli;

import com.google.gson.JsonObject;
import io.shardwright.cli.output.Cell;
import io.shardwright.cli.output.JsonFields;
import io.shardwright.cli.output.Names;
import io.shardwright.cli.output.Table;
import io.shardwright.proto.v1.ExecutorDetails;
import io.shardwright.proto.v1.ListExecutorsRequest;
import io.shardwright.proto.v1.ListExecutorsResponse;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code shardctl executor list}. */
@Command(
        name = "list",
        aliases = "ls",
        description = {
            "Lists the executors of a namespace, sorted by id.",
            "LEASE is what is left of the lease, RENEWED the time since the latest renewal; both as the leader counts."
        },
        footer = {
            "Examples:",
            "  shardctl executor list --namespace orders",
            "  shardctl ex ls -n orders -o json",
            "",
            "JSON: {\"executors\": [{executorId, address, host, labels, processId, status, leaseRemainingMillis,",
            "       lastRenewalAgeMillis, assignedCount, releasingCount, load, drain}]}",
            "status is active or leaving; address and host are null where the executor gave none; drain is that of",
            "the host, {drainedBy, reason, drainedAt}, or null. The table shows \"drained\" as a status."
        })
final class ExecutorListCommand implements Callable<Integer> {
    private final Session session;

    ExecutorListCommand(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        ListExecutorsRequest request = ListExecutorsRequest.newBuilder()
                .setNamespace(session.namespace())
                .build();
        ListExecutorsResponse answer = session.server().admin(stub -> stub.listExecutors(request));
        session.show(() -> table(answer), () -> json(answer));
        return ExitCodes.OK;
    }

    private static List<String> table(ListExecutorsResponse answer) {
        Table table = new Table()
                .left("EXECUTOR", "STATUS", "ADDRESS", "HOST")
                .right("SHARDS", "RELEASING", "LOAD", "LEASE", "RENEWED");
        for (ExecutorDetails executor : answer.getExecutorsList()) {
            table.row(
                    Cell.text(executor.getInfo().getExecutorId()),
                    executor.hasDrain() ? "drained" : Names.of(executor.getStatus()),
                    Cell.text(executor.getInfo().getAddress()),
                    Cell.text(executor.getInfo().getHost()),
                    Cell.number(executor.getAssignedCount()),
                    Cell.number(executor.getReleasingCount()),
                    Cell.load(executor.getLoad()),
                    Cell.duration(executor.getLeaseRemainingMillis()),
                    Cell.duration(executor.getLastRenewalAgeMillis()));
        }
        return table.lines();
    }

    private static JsonObject json(ListExecutorsResponse answer) {
        JsonObject json = new JsonObject();
        json.add("executors", JsonFields.array(answer.getExecutorsList(), JsonFields::executorDetails));
        return json;
    }
}
