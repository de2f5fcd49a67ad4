package io.shardwright.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonParser;
import io.grpc.Status;
import io.shardwright.proto.v1.ListReplicasResponse;
import io.shardwright.proto.v1.Replica;
import io.shardwright.proto.v1.ReplicaRole;
import io.shardwright.proto.v1.TransferLeadershipRequest;
import io.shardwright.proto.v1.TransferLeadershipResponse;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who leads, and how that is changed. */
@Tag("B10")
final class LeaderCommandsTest {

    private final FakeServer server = new FakeServer();

    @AfterEach
    void stop() {
        server.close();
    }

    private Run run(String... args) {
        String[] all = new String[args.length + 2];
        all[0] = "--address";
        all[1] = server.address();
        System.arraycopy(args, 0, all, 2, args.length);
        return Run.with(Map.of(), "", all);
    }

    private static Replica replica(String host, ReplicaRole role) {
        return Replica.newBuilder()
                .setHost(host)
                .setPort(9002)
                .setRole(role)
                .setVersion("1.2.0")
                .setIdentity(host + "/pid-7/100")
                .build();
    }

    private static ListReplicasResponse replicas(Replica... replicas) {
        ListReplicasResponse.Builder response = ListReplicasResponse.newBuilder();
        for (Replica replica : replicas) {
            response.addReplicas(replica);
        }
        return response.build();
    }

    private static final Replica STARTING = replica("10.0.0.7", ReplicaRole.REPLICA_ROLE_STARTING);
    private static final Replica SERVING = replica("10.0.0.7", ReplicaRole.REPLICA_ROLE_LEADER);
    private static final Replica STANDBY = replica("fe80::1", ReplicaRole.REPLICA_ROLE_STANDBY);

    @Test
    void theLeaderStandsFirstAndAnOldViewIsSaidToBeOld() {
        server.answer(replicas(SERVING, STANDBY));
        assertEquals("""
                ADDRESS         ROLE     VERSION  IDENTITY
                10.0.0.7:9002   leader   1.2.0    10.0.0.7/pid-7/100
                [fe80::1]:9002  standby  1.2.0    fe80::1/pid-7/100
                """, run("leader", "show").out());
        server.answer(replicas(SERVING).toBuilder().setHeardMillisAgo(95_000).build());
        Run old = run("leader", "show");
        assertTrue(old.out().contains("last heard of its store 1m35s ago"), old.out());
    }

    @Test
    void whatIsNotKnownIsNullInJsonAndADashInTheTable() {
        ListReplicasResponse alone = ListReplicasResponse.newBuilder()
                .addReplicas(Replica.newBuilder().setRole(ReplicaRole.REPLICA_ROLE_LEADER))
                .build();
        server.answer(alone);
        assertEquals(
                "{\"heardMillisAgo\":null,\"replicas\":[{\"address\":null,\"role\":\"leader\",\"version\":null,\"identity\":null}]}",
                JsonParser.parseString(run("leader", "show", "-o", "json").out())
                        .toString());
        server.answer(alone);
        assertEquals(
                "-        leader  -        -",
                run("leader", "show").out().lines().toList().get(1));
    }

    @Test
    void aTransferIsDoneWhenTheNextOneServes() {
        server.answer(TransferLeadershipResponse.newBuilder().setNext(STARTING).build())
                .answer(replicas(STARTING, STANDBY))
                .answer(replicas(SERVING, STANDBY));
        Run run = run("leader", "transfer", "10.0.0.7:9002");
        assertEquals("10.0.0.7:9002 leads now.\n", run.out());
        assertEquals(0, run.exitCode());
        assertEquals(
                TransferLeadershipRequest.newBuilder()
                        .setHost("10.0.0.7")
                        .setPort(9002)
                        .build(),
                server.requests.peek());
        assertEquals(3, server.requests.size());
    }

    @Test
    void aNextOneThatDoesNotServeInTimeIsSaidAndFails() {
        server.answer(TransferLeadershipResponse.newBuilder().setNext(STARTING).build());
        for (int i = 0; i < 100; i++) {
            server.answer(replicas(STARTING));
        }
        Run run = run("leader", "transfer", "--timeout", "300ms");
        assertEquals(1, run.exitCode());
        assertTrue(run.err().contains("handed to 10.0.0.7:9002, which does not serve yet"), run.err());
    }

    @Test
    void aServerThatHasNobodyToHandOverToSaysSo() {
        server.fail(FakeServer.error(
                Status.Code.FAILED_PRECONDITION,
                "no other replica waits",
                FakeServer.info("NO_STANDBY", "waiting", "")));
        Run run = run("leader", "transfer");
        assertEquals(1, run.exitCode());
        assertTrue(run.err().contains("no other replica waits"), run.err());
    }

    @Test
    void anAddressThatIsNoneIsRefused() {
        Run run = run("leader", "transfer", "10.0.0.7");
        assertEquals(2, run.exitCode());
        assertTrue(run.err().contains("write host:port"), run.err());
    }
}
