package io.shardwright.cli;

import io.shardwright.cli.output.ReplicaOutput;
import io.shardwright.proto.v1.ListReplicasRequest;
import io.shardwright.proto.v1.ListReplicasResponse;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code shardctl leader show}. */
@Command(
        name = "show",
        description = {
            "Shows which server leads, and which ones wait, in the order in which they would follow.",
            "Any server answers, also one that does not lead, from what it last heard."
        },
        footer = {
            "Examples:",
            "  shardctl leader show",
            "  shardctl --address 10.0.0.6:9002 leader show -o json",
            "",
            "JSON: {\"heardMillisAgo\", \"replicas\": [{address, role, version, identity}]}"
        })
final class LeaderShowCommand implements Callable<Integer> {
    private final Session session;

    LeaderShowCommand(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        ListReplicasResponse answer =
                session.server().admin(stub -> stub.listReplicas(ListReplicasRequest.getDefaultInstance()));
        session.show(() -> ReplicaOutput.table(answer), () -> ReplicaOutput.json(answer));
        return ExitCodes.OK;
    }
}
