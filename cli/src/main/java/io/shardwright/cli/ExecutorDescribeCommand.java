package io.shardwright.cli;

import com.google.gson.JsonObject;
import io.shardwright.cli.output.Cell;
import io.shardwright.cli.output.DrainOutput;
import io.shardwright.cli.output.FieldList;
import io.shardwright.cli.output.JsonFields;
import io.shardwright.cli.output.Names;
import io.shardwright.cli.output.Table;
import io.shardwright.proto.v1.DescribeExecutorRequest;
import io.shardwright.proto.v1.DescribeExecutorResponse;
import io.shardwright.proto.v1.ExecutorDetails;
import io.shardwright.proto.v1.ShardDetails;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code shardctl executor describe}. */
@Command(
        name = "describe",
        description = "Shows one executor and its shards.",
        footer = {
            "Examples:",
            "  shardctl executor describe worker-1 --namespace orders",
            "  shardctl ex describe worker-1 -n orders -o json",
            "",
            "JSON: {\"executor\": as in 'executor list', \"shards\": [as in 'shard inspect']}"
        })
final class ExecutorDescribeCommand implements Callable<Integer> {
    private final Session session;

    @Parameters(paramLabel = "EXECUTOR", description = "Id of the executor.")
    private String executorId = "";

    ExecutorDescribeCommand(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        DescribeExecutorRequest request = DescribeExecutorRequest.newBuilder()
                .setNamespace(session.namespace())
                .setExecutorId(executorId)
                .build();
        DescribeExecutorResponse answer = session.server().admin(stub -> stub.describeExecutor(request));
        session.show(() -> table(answer), () -> json(answer));
        return ExitCodes.OK;
    }

    private static List<String> table(DescribeExecutorResponse answer) {
        ExecutorDetails executor = answer.getExecutor();
        String labels = executor.getInfo().getLabelsList().stream()
                .map(label -> label.getKey() + "=" + label.getValue())
                .collect(Collectors.joining(", "));
        List<String> lines = new ArrayList<>(new FieldList()
                .add("Executor", Cell.text(executor.getInfo().getExecutorId()))
                .add("Status", Names.of(executor.getStatus()))
                .add("Address", Cell.text(executor.getInfo().getAddress()))
                .add("Host", Cell.text(executor.getInfo().getHost()))
                .add("Host drained", DrainOutput.cell(executor.hasDrain(), executor.getDrain()))
                .add("Labels", Cell.text(labels))
                .add("Process", Cell.text(executor.getProcessId()))
                .add("Lease left", Cell.duration(executor.getLeaseRemainingMillis()))
                .add("Last renewal", Cell.duration(executor.getLastRenewalAgeMillis()) + " ago")
                .add("Assigned", Cell.number(executor.getAssignedCount()))
                .add("Releasing", Cell.number(executor.getReleasingCount()))
                .add("Load", Cell.load(executor.getLoad()))
                .lines());
        Table shards =
                new Table().left("SHARD", "STATE").right("EPOCH", "LOAD").left("ACTIVITY", "NEXT OWNER", "REASON");
        for (ShardDetails shard : answer.getShardsList()) {
            shards.row(
                    Cell.text(shard.getShardKey()),
                    Names.of(shard.getState()),
                    Cell.number(shard.getEpoch()),
                    shard.hasLoad() ? Cell.load(shard.getLoad()) : Cell.NONE,
                    Cell.text(Names.of(shard.getActivity())),
                    Cell.text(shard.getNextOwner()),
                    Cell.text(shard.getReason()));
        }
        lines.add("");
        lines.addAll(shards.lines());
        return lines;
    }

    private static JsonObject json(DescribeExecutorResponse answer) {
        JsonObject json = new JsonObject();
        json.add("executor", JsonFields.executorDetails(answer.getExecutor()));
        json.add("shards", JsonFields.array(answer.getShardsList(), JsonFields::shardDetails));
        return json;
    }
}
