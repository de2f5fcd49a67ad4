package io.shardwright.cli;

import io.shardwright.cli.output.DrainOutput;
import io.shardwright.proto.v1.UndrainHostsRequest;
import io.shardwright.proto.v1.UndrainHostsResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code shardctl executor undrain}. */
@Command(
        name = "undrain",
        description = "Takes drained hosts back: their executors get shards again. Repeating it changes nothing.",
        footer = {
            "Examples:",
            "  shardctl executor undrain host-7 --namespace orders",
            "  shardctl ex undrain host-7 host-8 -n orders -o json",
            "",
            "JSON: {\"undrained\": [hosts that were drained before]}"
        })
final class ExecutorUndrainCommand implements Callable<Integer> {
    private final Session session;

    @Parameters(paramLabel = "HOST", arity = "1..*", description = "Hosts.")
    private List<String> hosts = new ArrayList<>();

    ExecutorUndrainCommand(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        UndrainHostsRequest request = UndrainHostsRequest.newBuilder()
                .setNamespace(session.namespace())
                .addAllHosts(hosts)
                .build();
        UndrainHostsResponse answer = session.server().admin(stub -> stub.undrainHosts(request));
        session.show(
                () -> DrainOutput.changed("Took back", answer.getUndrainedHostsList(), "none was drained"),
                () -> DrainOutput.json("undrained", answer.getUndrainedHostsList()));
        return ExitCodes.OK;
    }
}
