package io.shardwright.cli;

import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import io.shardwright.cli.output.Cell;
import io.shardwright.cli.output.DrainOutput;
import io.shardwright.cli.output.FieldList;
import io.shardwright.cli.output.JsonFields;
import io.shardwright.cli.output.Names;
import io.shardwright.proto.v1.InspectShardRequest;
import io.shardwright.proto.v1.InspectShardResponse;
import io.shardwright.proto.v1.ShardDetails;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code shardctl shard inspect}. */
@Command(
        name = "inspect",
        description = "Shows one shard: its owner, epoch, load, and why it is where it is. Never creates it.",
        footer = {
            "Examples:",
            "  shardctl shard inspect 17 --namespace orders",
            "  shardctl sh inspect customer-42 -n sessions -o json",
            "",
            "JSON: {\"shard\": {shardKey, state, owner, nextOwner, epoch, load, activity, reason, drain},",
            "       \"owner\": {executorId, address, host, labels} or null, revision}",
            "state is unassigned, assigned or releasing; activity is starting, running, stopping, failed or idle;",
            "drain is {drainedBy, reason, drainedAt}; it, owner, nextOwner, load, activity and reason are null where",
            "there is none."
        })
final class ShardInspectCommand implements Callable<Integer> {
    private final Session session;

    @Parameters(paramLabel = "SHARD", description = "Shard key.")
    private String shardKey = "";

    ShardInspectCommand(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        InspectShardRequest request = InspectShardRequest.newBuilder()
                .setNamespace(session.namespace())
                .setShardKey(shardKey)
                .build();
        InspectShardResponse answer = session.server().admin(stub -> stub.inspectShard(request));
        session.show(() -> table(answer), () -> json(answer));
        return ExitCodes.OK;
    }

    private static List<String> table(InspectShardResponse answer) {
        ShardDetails shard = answer.getShard();
        return new FieldList()
                .add("Shard", Cell.text(shard.getShardKey()))
                .add("State", Names.of(shard.getState()))
                .add("Owner", Cell.text(shard.getOwner()))
                .add("Owner address", Cell.text(answer.getOwner().getAddress()))
                .add("Next owner", Cell.text(shard.getNextOwner()))
                .add("Epoch", Cell.number(shard.getEpoch()))
                .add("Load", shard.hasLoad() ? Cell.load(shard.getLoad()) : Cell.NONE)
                .add("Activity", Cell.text(Names.of(shard.getActivity())))
                .add("Reason", Cell.text(shard.getReason()))
                .add("Drained", DrainOutput.cell(shard.hasDrain(), shard.getDrain()))
                .add("Revision", Cell.number(answer.getRevision()))
                .lines();
    }

    private static JsonObject json(InspectShardResponse answer) {
        JsonObject json = new JsonObject();
        json.add("shard", JsonFields.shardDetails(answer.getShard()));
        json.add("owner", answer.hasOwner() ? JsonFields.executor(answer.getOwner()) : JsonNull.INSTANCE);
        json.add("revision", JsonFields.number(answer.getRevision()));
        return json;
    }
}
