package io.shardwright.rpc.service;

import static io.shardwright.rpc.service.ServicesUnderTest.registration;
import static io.shardwright.rpc.service.ServicesUnderTest.release;
import static io.shardwright.rpc.service.ServicesUnderTest.watch;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status.Code;
import io.shardwright.proto.v1.Assignment;
import io.shardwright.proto.v1.AssignmentDelivery;
import io.shardwright.proto.v1.CreateNamespaceRequest;
import io.shardwright.proto.v1.ExecutorServiceGrpc;
import io.shardwright.proto.v1.Namespace;
import io.shardwright.proto.v1.NamespaceKind;
import io.shardwright.proto.v1.RegisterResponse;
import io.shardwright.proto.v1.ShardEpoch;
import io.shardwright.proto.v1.WatchAssignmentsRequest;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The stream of an executor's set. */
final class AssignmentStreamTest {

    private final ServicesUnderTest services = ServicesUnderTest.serving();

    @AfterEach
    void close() {
        services.close();
    }

    @Test
    void theSetIsDeliveredAtOnceAndOnEachChange() {
        RegisterResponse registered = services.register("a");
        Heard<WatchAssignmentsRequest, AssignmentDelivery> stream = open("a");
        Assignment first = stream.next().getAssignment();
        assertEquals(registered.getAssignment(), first);
        assertEquals(ServicesUnderTest.SHARDS, first.getShardsCount());

        services.register("b"); // gets a share, which a has to let go

        Assignment smaller = stream.next().getAssignment();
        assertEquals(ServicesUnderTest.SHARDS / 2, smaller.getShardsCount());
        assertTrue(smaller.getRevision() > first.getRevision());
    }

    @Test
    void whatOneReleasesIsDeliveredToTheOther() {
        RegisterResponse before = services.register("a");
        services.register("b");
        Heard<WatchAssignmentsRequest, AssignmentDelivery> stream = open("b");
        assertTrue(stream.next().hasAssignment(), "an empty set is a statement too");
        Assignment rest = open("a").next().getAssignment();
        List<ShardEpoch> given = before.getAssignment().getShardsList().stream()
                .filter(shard -> !rest.getShardsList().contains(shard))
                .toList();

        var ignored = services.executors().release(release("a", given.toArray(ShardEpoch[]::new)));

        List<ShardEpoch> got = stream.next().getAssignment().getShardsList();
        assertEquals(
                given.stream().map(ShardEpoch::getShardKey).toList(),
                got.stream().map(ShardEpoch::getShardKey).toList());
        for (int i = 0; i < got.size(); i++) {
            assertTrue(got.get(i).getEpoch() > given.get(i).getEpoch());
        }
    }

    @Test
    void aQuietStreamBeatsWithinAThirdOfTheLease() {
        var ignored = services.admin()
                .createNamespace(CreateNamespaceRequest.newBuilder()
                        .setNamespace(Namespace.newBuilder()
                                .setName("short")
                                .setKind(NamespaceKind.NAMESPACE_KIND_EPHEMERAL)
                                .setLeaseMillis(1_000))
                        .build());
        var unused = services.executors()
                .register(registration("a").toBuilder().setNamespace("short").build());
        Heard<WatchAssignmentsRequest, AssignmentDelivery> stream = Heard.open(
                services.channel,
                ExecutorServiceGrpc.getWatchAssignmentsMethod(),
                watch("a").toBuilder().setNamespace("short").build());
        Assignment set = stream.next().getAssignment();

        AssignmentDelivery beat = stream.next();

        assertTrue(beat.hasBeat());
        assertEquals(set.getRevision(), beat.getBeat().getRevision());
        assertEquals(set.getIncarnation(), beat.getBeat().getIncarnation());
    }

    @Test
    void aSecondStreamReplacesTheFirst() {
        services.register("a");
        Heard<WatchAssignmentsRequest, AssignmentDelivery> first = open("a");
        assertTrue(first.next().hasAssignment());
        Heard<WatchAssignmentsRequest, AssignmentDelivery> second = open("a");
        assertTrue(second.next().hasAssignment());
        Problem end = first.end();
        assertEquals(Code.ABORTED, end.code());
        assertEquals("REPLACED", end.reason());
    }

    @Test
    void aStreamThatWasCutIsResumedWithTheWholeSet() {
        services.register("a");
        Heard<WatchAssignmentsRequest, AssignmentDelivery> cut = open("a");
        assertTrue(cut.next().hasAssignment());
        cut.cancel();
        services.register("b");
        Assignment resumed = open("a").next().getAssignment();
        assertEquals(ServicesUnderTest.SHARDS / 2, resumed.getShardsCount());
    }

    @Test
    void theEndOfLeadershipEndsTheStream() {
        services.register("a");
        Heard<WatchAssignmentsRequest, AssignmentDelivery> stream = open("a");
        assertTrue(stream.next().hasAssignment());
        services.stop();
        Problem end = stream.end();
        assertEquals("NOT_LEADER", end.reason());
        assertTrue(end.neverRan());
    }

    @Test
    void anUnknownExecutorGetsNoStream() {
        assertEquals("EXECUTOR_NOT_REGISTERED", open("ghost").end().reason());
        assertEquals(
                "INVALID_FIELD",
                Heard.open(
                                services.channel,
                                ExecutorServiceGrpc.getWatchAssignmentsMethod(),
                                WatchAssignmentsRequest.getDefaultInstance())
                        .end()
                        .reason());
    }

    private Heard<WatchAssignmentsRequest, AssignmentDelivery> open(String id) {
        return Heard.open(services.channel, ExecutorServiceGrpc.getWatchAssignmentsMethod(), watch(id));
    }
}
