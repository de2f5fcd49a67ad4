package io.shardwright.rpc.service;

import static io.shardwright.rpc.service.ServicesUnderTest.FIXED;
import static io.shardwright.rpc.service.ServicesUnderTest.SHARDS;
import static io.shardwright.rpc.service.ServicesUnderTest.registration;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.proto.v1.DeleteNamespaceRequest;
import io.shardwright.proto.v1.ExecutorInfo;
import io.shardwright.proto.v1.GetRoutingTableRequest;
import io.shardwright.proto.v1.GetRoutingTableResponse;
import io.shardwright.proto.v1.GetShardOwnerRequest;
import io.shardwright.proto.v1.NamespaceKind;
import io.shardwright.proto.v1.RoutingDelta;
import io.shardwright.proto.v1.RoutingEvent;
import io.shardwright.proto.v1.ShardRoute;
import io.shardwright.proto.v1.SpectatorServiceGrpc;
import io.shardwright.proto.v1.WatchRoutingRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The stream of a routing table. */
final class RoutingStreamTest {

    private ServicesUnderTest services = ServicesUnderTest.serving();

    @AfterEach
    void close() {
        services.close();
    }

    @Test
    void aStreamBeginsWithTheWholeTableThenTellsChanges() {
        services.register("a");
        Heard<WatchRoutingRequest, RoutingEvent> stream = open();
        RoutingEvent snapshot = stream.next();
        assertTrue(snapshot.getSnapshot().getFirst() && snapshot.getSnapshot().getLast());
        assertEquals(SHARDS, snapshot.getSnapshot().getShardsCount());
        assertTrue(snapshot.getSnapshot().getShardsList().stream()
                .allMatch(route -> route.getOwner().equals("a")));

        services.register("b");

        RoutingEvent change = stream.next();
        assertEquals(snapshot.getRevision(), change.getDelta().getFromRevision());
        assertTrue(change.getRevision() > snapshot.getRevision());
        assertEquals("b", change.getDelta().getExecutors(0).getExecutorId());
        assertEquals(0, change.getDelta().getShardsCount(), "a still owns what it was asked to release");
    }

    @Test
    void aKnownTableIsResumedWithoutASnapshot() {
        services.register("a");
        RoutingEvent snapshot = open().next();
        services.register("b");
        Heard<WatchRoutingRequest, RoutingEvent> resumed = open(snapshot.getIncarnation(), snapshot.getRevision());
        RoutingDelta delta = resumed.next().getDelta();
        assertEquals(snapshot.getRevision(), delta.getFromRevision());
        assertEquals("b", delta.getExecutors(0).getExecutorId());
    }

    @Test
    void whoeverResumesTheNewestTableHearsAtOnceThatItHolds() {
        services.register("a");
        RoutingEvent snapshot = open().next();
        RoutingEvent event =
                open(snapshot.getIncarnation(), snapshot.getRevision()).next();
        assertTrue(event.hasBeat());
        assertEquals(snapshot.getRevision(), event.getRevision());
    }

    @Test
    void aQuietStreamBeatsSoThatItIsKnownToBeAlive() {
        services.register("a");
        Heard<WatchRoutingRequest, RoutingEvent> stream = open();
        RoutingEvent snapshot = stream.next();
        for (int i = 0; i < 2; i++) {
            RoutingEvent event = stream.next();
            assertTrue(event.hasBeat(), event.toString());
            assertEquals(snapshot.getRevision(), event.getRevision());
        }
    }

    @Test
    void aTableOfAnotherServerOrOfTheFutureIsReplaced() {
        services.register("a");
        RoutingEvent snapshot = open().next();
        assertTrue(open("another", snapshot.getRevision()).next().hasSnapshot());
        assertTrue(open(snapshot.getIncarnation(), snapshot.getRevision() + 100)
                .next()
                .hasSnapshot());
    }

    @Test
    void aReaderThatFellBehindTheHistoryGetsTheTableAgain() {
        services.close();
        services = new ServicesUnderTest(new RoutingHistory.Limits(2, 100, 100));
        services.start();
        services.create(FIXED, NamespaceKind.NAMESPACE_KIND_FIXED, SHARDS);
        services.register("a");
        RoutingEvent snapshot = open().next();
        for (int i = 0; i < 5; i++) {
            label("a", i);
        }
        RoutingEvent again =
                open(snapshot.getIncarnation(), snapshot.getRevision()).next();
        assertTrue(again.getSnapshot().getFirst());
        assertEquals("4", again.getSnapshot().getExecutors(0).getLabels(0).getValue());
    }

    @Test
    void aReaderThatDidNotReadGetsOneMergedChange() {
        services.register("a");
        Heard<WatchRoutingRequest, RoutingEvent> stream = open();
        RoutingEvent snapshot = stream.next();
        for (int i = 0; i < 50; i++) {
            label("a", i);
        }
        int messages = 0;
        long revision = snapshot.getRevision();
        String value = "";
        while (!value.equals("49")) {
            RoutingEvent event = stream.next();
            assertEquals(revision, event.getDelta().getFromRevision(), "no gap");
            revision = event.getRevision();
            value = event.getDelta().getExecutors(0).getLabels(0).getValue();
            messages++;
        }
        assertTrue(messages < 50, messages + " messages for 50 changes that nobody read");
    }

    @Test
    void aDeletedNamespaceEndsItsStreams() {
        Heard<WatchRoutingRequest, RoutingEvent> stream = open();
        assertTrue(stream.next().hasSnapshot());
        var ignored = services.admin()
                .deleteNamespace(
                        DeleteNamespaceRequest.newBuilder().setNamespace(FIXED).build());
        assertEquals("NAMESPACE_NOT_FOUND", stream.end().reason());
        assertEquals("NAMESPACE_NOT_FOUND", open().end().reason());
    }

    @Test
    void theEndOfLeadershipEndsStreamsAndReads() {
        Heard<WatchRoutingRequest, RoutingEvent> stream = open();
        assertTrue(stream.next().hasSnapshot());
        services.stop();
        assertEquals("NOT_LEADER", stream.end().reason());
        assertEquals("NOT_LEADER", open().end().reason());
        assertEquals(
                "NOT_LEADER",
                Problem.of(() -> services.spectators()
                                .getRoutingTable(GetRoutingTableRequest.newBuilder()
                                        .setNamespace(FIXED)
                                        .build()))
                        .reason());
    }

    @Test
    void aTableIsReadOnceAndThenOnlyConfirmed() {
        services.register("a");
        GetRoutingTableResponse table = table(GetRoutingTableRequest.newBuilder());
        assertFalse(table.getNotModified());
        assertEquals(SHARDS, table.getShardsCount());
        assertEquals("a:7000", table.getExecutors(0).getAddress());

        GetRoutingTableRequest.Builder known = GetRoutingTableRequest.newBuilder()
                .setKnownIncarnation(table.getIncarnation())
                .setKnownRevision(table.getRevision());
        assertTrue(table(known).getNotModified());
        assertEquals(0, table(known).getShardsCount());

        services.register("b");
        assertFalse(table(known).getNotModified());
    }

    @Test
    void aLookupCreatesAnEphemeralShardAndTheStreamTellsIt() {
        var ignored = services.executors()
                .register(registration("a").toBuilder()
                        .setNamespace(ServicesUnderTest.EPHEMERAL)
                        .build());
        Heard<WatchRoutingRequest, RoutingEvent> stream = Heard.open(
                services.channel,
                SpectatorServiceGrpc.getWatchRoutingMethod(),
                WatchRoutingRequest.newBuilder()
                        .setNamespace(ServicesUnderTest.EPHEMERAL)
                        .build());
        assertEquals(0, stream.next().getSnapshot().getShardsCount());
        ExecutorInfo owner = services.spectators()
                .getShardOwner(GetShardOwnerRequest.newBuilder()
                        .setNamespace(ServicesUnderTest.EPHEMERAL)
                        .setShardKey("alice")
                        .build())
                .getOwner();
        assertEquals("a", owner.getExecutorId());
        ShardRoute route = stream.next().getDelta().getShards(0);
        assertEquals("alice", route.getShardKey());
        assertEquals("a", route.getOwner());
    }

    private void label(String id, int value) {
        var ignored = services.executors()
                .register(registration(id).toBuilder()
                        .addLabels(io.shardwright.proto.v1.Label.newBuilder()
                                .setKey("n")
                                .setValue(Integer.toString(value)))
                        .build());
    }

    private GetRoutingTableResponse table(GetRoutingTableRequest.Builder request) {
        return services.spectators().getRoutingTable(request.setNamespace(FIXED).build());
    }

    private Heard<WatchRoutingRequest, RoutingEvent> open() {
        return open("", 0);
    }

    private Heard<WatchRoutingRequest, RoutingEvent> open(String incarnation, long revision) {
        return Heard.open(
                services.channel,
                SpectatorServiceGrpc.getWatchRoutingMethod(),
                WatchRoutingRequest.newBuilder()
                        .setNamespace(FIXED)
                        .setKnownIncarnation(incarnation)
                        .setKnownRevision(revision)
                        .build());
    }
}
