package io.shardwright.cli;

import io.shardwright.cli.call.Address;
import io.shardwright.cli.call.CallFailedException;
import io.shardwright.cli.call.Server;
import io.shardwright.cli.output.ReplicaOutput;
import io.shardwright.proto.v1.ListReplicasRequest;
import io.shardwright.proto.v1.Replica;
import io.shardwright.proto.v1.ReplicaRole;
import io.shardwright.proto.v1.TransferLeadershipRequest;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code shardctl leader transfer}. */
@Command(
        name = "transfer",
        description = {
            "Moves leadership to another server, and waits until that one serves. Executors keep their shards.",
            "The server that led waits behind the others then."
        },
        footer = {
            "Examples:",
            "  shardctl leader transfer",
            "  shardctl leader transfer 10.0.0.7:9002 -o json",
            "",
            "JSON: {address, role, version, identity} of the new leader"
        })
final class LeaderTransferCommand implements Callable<Integer> {

    private static final long PAUSE_MILLIS = 50;

    private final Session session;

    @Parameters(
            paramLabel = "ADDRESS",
            arity = "0..1",
            converter = AddressConverter.class,
            description = "Server that shall lead, as leader show names it. Default: the one that waits longest.")
    private @Nullable Address address;

    LeaderTransferCommand(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() throws InterruptedException {
        TransferLeadershipRequest.Builder request = TransferLeadershipRequest.newBuilder();
        if (address != null) {
            request.setHost(address.host()).setPort(address.port());
        }
        Server server = session.server();
        long end = System.nanoTime() + server.timeout().toNanos();
        Replica next =
                server.admin(stub -> stub.transferLeadership(request.build())).getNext();
        Replica leader = awaitServing(server, next, end);
        session.show(() -> List.of(ReplicaOutput.address(leader) + " leads now."), () -> ReplicaOutput.json(leader));
        return ExitCodes.OK;
    }

    /** Asks whoever answers: the server that led knows as well as the new leader itself. */
    private static Replica awaitServing(Server server, Replica next, long end) throws InterruptedException {
        while (true) {
            List<Replica> now = server.admin(stub -> stub.listReplicas(ListReplicasRequest.getDefaultInstance()))
                    .getReplicasList();
            Optional<Replica> leader = now.stream()
                    .filter(replica -> replica.getRole() == ReplicaRole.REPLICA_ROLE_LEADER)
                    .filter(replica -> replica.getIdentity().equals(next.getIdentity()))
                    .findFirst();
            if (leader.isPresent()) {
                return leader.get();
            }
            if (System.nanoTime() - end >= 0) {
                throw CallFailedException.local(
                        "NOT_SERVING_YET",
                        "leadership was handed to " + ReplicaOutput.address(next)
                                + ", which does not serve yet; see \"shardctl leader show\" and the log of that server");
            }
            Thread.sleep(PAUSE_MILLIS);
        }
    }
}
