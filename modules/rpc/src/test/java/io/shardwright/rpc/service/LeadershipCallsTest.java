package io.shardwright.rpc.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status.Code;
import io.shardwright.proto.v1.ListReplicasRequest;
import io.shardwright.proto.v1.ListReplicasResponse;
import io.shardwright.proto.v1.ReplicaRole;
import io.shardwright.proto.v1.TransferLeadershipRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who leads, where there is one server only. */
@Tag("B10")
final class LeadershipCallsTest {

    private static final ServicesUnderTest SERVICES = ServicesUnderTest.serving();

    @AfterAll
    static void close() {
        SERVICES.close();
    }

    private static TransferLeadershipRequest to(String host, int port) {
        return TransferLeadershipRequest.newBuilder()
                .setHost(host)
                .setPort(port)
                .build();
    }

    @Test
    void theOnlyServerShowsItselfAndGoesOnWhenAskedToHandOver() {
        ListReplicasResponse before = SERVICES.admin().listReplicas(ListReplicasRequest.getDefaultInstance());
        assertEquals(1, before.getReplicasCount());
        assertEquals(ReplicaRole.REPLICA_ROLE_LEADER, before.getReplicas(0).getRole());

        Problem problem =
                Problem.of(() -> SERVICES.admin().transferLeadership(TransferLeadershipRequest.getDefaultInstance()));
        assertEquals(Code.FAILED_PRECONDITION, problem.code());
        assertEquals("NO_STANDBY", problem.reason());
        assertTrue(problem.sentence().contains("no other replica waits to lead"), problem.sentence());
        assertEquals(before, SERVICES.admin().listReplicas(ListReplicasRequest.getDefaultInstance()));
    }

    @Test
    void anAddressThatIsNoneIsRefusedWithItsField() {
        assertEquals("port", field(to("10.0.0.7", 0)));
        assertEquals("port", field(to("10.0.0.7", 65_536)));
        assertEquals("host", field(to("", 9002)));
        assertEquals("host", field(to("h".repeat(254), 9002)));
    }

    private static String field(TransferLeadershipRequest request) {
        Problem problem = Problem.of(() -> SERVICES.admin().transferLeadership(request));
        assertEquals(Code.INVALID_ARGUMENT, problem.code(), problem.sentence());
        return problem.metadata().getOrDefault("field", "");
    }
}
