package io.shardwright.cli;

import io.shardwright.cli.output.DrainOutput;
import io.shardwright.proto.v1.UndrainShardsRequest;
import io.shardwright.proto.v1.UndrainShardsResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code shardctl shard undrain}. */
@Command(
        name = "undrain",
        description = "Takes drained shards back: they get an owner again. Repeating it changes nothing.",
        footer = {
            "Examples:",
            "  shardctl shard undrain 17 18 --namespace orders",
            "  shardctl sh undrain customer-42 -n sessions -o json",
            "",
            "JSON: {\"undrained\": [shard keys that were drained before]}"
        })
final class ShardUndrainCommand implements Callable<Integer> {
    private final Session session;

    @Parameters(paramLabel = "SHARD", arity = "1..*", description = "Shard keys.")
    private List<String> shardKeys = new ArrayList<>();

    ShardUndrainCommand(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        UndrainShardsRequest request = UndrainShardsRequest.newBuilder()
                .setNamespace(session.namespace())
                .addAllShardKeys(shardKeys)
                .build();
        UndrainShardsResponse answer = session.server().admin(stub -> stub.undrainShards(request));
        session.show(
                () -> DrainOutput.changed("Took back", answer.getUndrainedShardKeysList(), "none was drained"),
                () -> DrainOutput.json("undrained", answer.getUndrainedShardKeysList()));
        return ExitCodes.OK;
    }
}
