package io.shardwright.cli;

import io.shardwright.cli.output.DrainOutput;
import io.shardwright.proto.v1.DrainShardsRequest;
import io.shardwright.proto.v1.DrainShardsResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code shardctl shard drain}. */
@Command(
        name = "drain",
        description = {
            "Takes shards from their owners and keeps them free until they are taken back.",
            "Routers are refused at once. Repeating it changes nothing: the first drain of a shard stays."
        },
        footer = {
            "Examples:",
            "  shardctl shard drain 17 18 --namespace orders --reason 'data is being repaired'",
            "  shardctl sh drain customer-42 -n sessions -o json",
            "",
            "JSON: {\"drained\": [shard keys that were not drained before]}"
        })
final class ShardDrainCommand implements Callable<Integer> {
    private final Session session;

    @Parameters(paramLabel = "SHARD", arity = "1..*", description = "Shard keys.")
    private List<String> shardKeys = new ArrayList<>();

    @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for others. Default: none.")
    private String reason = "";

    ShardDrainCommand(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        DrainShardsRequest request = DrainShardsRequest.newBuilder()
                .setNamespace(session.namespace())
                .addAllShardKeys(shardKeys)
                .setDrainedBy(DrainOutput.user())
                .setReason(reason)
                .build();
        DrainShardsResponse answer = session.server().admin(stub -> stub.drainShards(request));
        session.show(
                () -> DrainOutput.changed("Drained", answer.getDrainedShardKeysList(), "they were drained already"),
                () -> DrainOutput.json("drained", answer.getDrainedShardKeysList()));
        return ExitCodes.OK;
    }
}
