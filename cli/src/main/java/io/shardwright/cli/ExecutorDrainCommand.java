package io.shardwright.cli;

import io.shardwright.cli.call.CallFailedException;
import io.shardwright.cli.output.Cell;
import io.shardwright.cli.output.DrainOutput;
import io.shardwright.proto.v1.DrainHostsRequest;
import io.shardwright.proto.v1.DrainHostsResponse;
import io.shardwright.proto.v1.ExecutorDetails;
import io.shardwright.proto.v1.ExecutorStatus;
import io.shardwright.proto.v1.ListExecutorsRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code shardctl executor drain}. */
@Command(
        name = "drain",
        description = {
            "Lets the executors on hosts hand their shards over, and gives them none until the hosts are taken back.",
            "Says first what that concerns, and asks. \"executor list-drained\" says when it is safe to stop them."
        },
        footer = {
            "Examples:",
            "  shardctl executor drain host-7 --namespace orders --reason 'kernel update'",
            "  shardctl ex drain host-7 host-8 -n orders --yes -o json",
            "",
            "JSON: {\"drained\": [hosts that were not drained before]}"
        })
final class ExecutorDrainCommand implements Callable<Integer> {
    private final Session session;

    @Parameters(paramLabel = "HOST", arity = "1..*", description = "Hosts, as executors name them; see executor list.")
    private List<String> hosts = new ArrayList<>();

    @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for others. Default: none.")
    private String reason = "";

    @Option(
            names = {"-y", "--yes"},
            description = "Do not ask, drain. Default: ask.")
    private boolean yes;

    ExecutorDrainCommand(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() throws IOException {
        if (!yes) {
            confirm();
        }
        DrainHostsRequest request = DrainHostsRequest.newBuilder()
                .setNamespace(session.namespace())
                .addAllHosts(hosts)
                .setDrainedBy(DrainOutput.user())
                .setReason(reason)
                .build();
        DrainHostsResponse answer = session.server().admin(stub -> stub.drainHosts(request));
        session.show(
                () -> DrainOutput.changed("Drained", answer.getDrainedHostsList(), "they were drained already"),
                () -> DrainOutput.json("drained", answer.getDrainedHostsList()));
        return ExitCodes.OK;
    }

    private void confirm() throws IOException {
        ListExecutorsRequest request = ListExecutorsRequest.newBuilder()
                .setNamespace(session.namespace())
                .build();
        List<ExecutorDetails> executors =
                session.server().admin(stub -> stub.listExecutors(request)).getExecutorsList();
        Shell shell = session.shell();
        for (String host : hosts) {
            List<ExecutorDetails> there = executors.stream()
                    .filter(executor -> executor.getInfo().getHost().equals(host))
                    .toList();
            int shards =
                    there.stream().mapToInt(ExecutorDetails::getAssignedCount).sum();
            shell.err()
                    .println(
                            there.isEmpty()
                                    ? "Warning: no executor of this namespace runs on " + Cell.text(host)
                                            + "; is the name right?"
                                    : Cell.text(host) + ": " + there.size() + " executors, " + shards + " shards");
        }
        if (executors.stream().noneMatch(this::remains)) {
            shell.err()
                    .println("Warning: no other executor could take shards; those on these hosts keep what they have,"
                            + " and get nothing new.");
        }
        String answer = shell.ask(
                "Drain them? Type y to go on: ",
                "nothing was drained: nobody answered; add --yes to drain without a question");
        if (!answer.equals("y")) {
            throw CallFailedException.local("CANCELLED", "nothing was drained: '" + answer + "' is not 'y'");
        }
    }

    private boolean remains(ExecutorDetails executor) {
        return executor.getStatus() == ExecutorStatus.EXECUTOR_STATUS_ACTIVE
                && !executor.hasDrain()
                && !hosts.contains(executor.getInfo().getHost());
    }
}
