package io.shardwright.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.grpc.Status;
import io.shardwright.proto.v1.Beat;
import io.shardwright.proto.v1.ExecutorInfo;
import io.shardwright.proto.v1.RoutingDelta;
import io.shardwright.proto.v1.RoutingEvent;
import io.shardwright.proto.v1.RoutingSnapshot;
import io.shardwright.proto.v1.ShardRoute;
import io.shardwright.proto.v1.WatchRoutingRequest;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code shardctl watch} against a server that plays scripts. */
final class WatchCommandTest {
    private final FakeServer server = new FakeServer();

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void eachChangeIsALine() {
        server.stream(new FakeServer.Script(List.of(snapshot(10), moved(10, 11, "b", 2)), Optional.empty()));
        Run run = Run.of("-a", server.address(), "-n", "orders", "watch", "--for", "3s");
        assertEquals(0, run.exitCode(), run.err());
        List<String> lines = run.out()
                .lines()
                .map(line -> line.replaceFirst("^\\S+", "TIME"))
                .toList();
        assertEquals(
                List.of(
                        "TIME  revision 10  1 executors, 2 shards, 1 without an owner",
                        "TIME  revision 11  executor b joined, address -",
                        "TIME  revision 11  shard 0: a (epoch 1) -> b (epoch 2)"),
                lines);
    }

    @Test
    void eachChangeIsAJsonObjectOnALine() {
        server.stream(new FakeServer.Script(List.of(snapshot(10), moved(10, 11, "b", 2)), Optional.empty()));
        Run run = Run.of("-a", server.address(), "-n", "orders", "watch", "--for", "3s", "-o", "json");
        assertEquals(0, run.exitCode(), run.err());
        List<JsonObject> lines = run.out()
                .lines()
                .map(line -> JsonParser.parseString(line).getAsJsonObject())
                .toList();
        lines.forEach(line -> line.remove("time"));
        assertEquals(
                List.of(
                        "{\"type\":\"table\",\"revision\":10,\"incarnation\":\"s1\",\"executors\":[{\"executorId\":\"a\",\"address\":null,"
                                + "\"host\":null,\"labels\":{}}],\"shards\":[{\"shardKey\":\"0\",\"owner\":\"a\",\"epoch\":1},"
                                + "{\"shardKey\":\"1\",\"owner\":null,\"epoch\":0}]}",
                        "{\"type\":\"executorAdded\",\"revision\":11,\"executorId\":\"b\",\"address\":null,\"host\":null,\"labels\":{}}",
                        "{\"type\":\"shard\",\"revision\":11,\"shardKey\":\"0\",\"owner\":\"b\",\"epoch\":2,"
                                + "\"previousOwner\":\"a\",\"previousEpoch\":1}"),
                lines.stream().map(JsonObject::toString).toList());
    }

    @Test
    void aBrokenStreamIsResumedWhereItEnded() {
        server.stream(new FakeServer.Script(List.of(snapshot(10), beat(12)), Optional.of(Status.UNAVAILABLE)));
        server.stream(new FakeServer.Script(List.of(moved(12, 13, "b", 2)), Optional.empty()));
        Run run = Run.of("-a", server.address(), "-n", "orders", "watch", "--for", "4s");
        assertEquals(0, run.exitCode(), run.err());
        assertEquals(3, run.out().lines().count(), run.out());
        assertTrue(run.err().contains("the stream broke, trying again"), run.err());
        assertEquals(
                List.of(
                        WatchRoutingRequest.newBuilder().setNamespace("orders").build(),
                        WatchRoutingRequest.newBuilder()
                                .setNamespace("orders")
                                .setKnownIncarnation("s1")
                                .setKnownRevision(12)
                                .build()),
                List.copyOf(server.requests));
    }

    @Test
    void aGapIsHealedByANewSnapshotThatShowsOnlyWhatChanged() {
        server.stream(new FakeServer.Script(List.of(snapshot(10), moved(11, 12, "b", 2)), Optional.empty()));
        server.stream(new FakeServer.Script(List.of(snapshot(12)), Optional.empty()));
        Run run = Run.of("-a", server.address(), "-n", "orders", "watch", "--for", "3s");
        assertEquals(1, run.out().lines().count(), run.out());
        assertEquals(2, server.requests.size());
    }

    @Test
    void anUnknownNamespaceEndsTheWatch() {
        server.stream(
                new FakeServer.Script(List.of(), Optional.of(Status.NOT_FOUND.withDescription("no such namespace"))));
        Run run = Run.of("-a", server.address(), "-n", "orders", "watch");
        assertEquals(3, run.exitCode(), run.err());
    }

    @Test
    void aServerThatSendsNothingIsGivenUpAfterTheTimeout() {
        Run run = Run.of("-a", server.address(), "-n", "orders", "watch", "--timeout", "300ms");
        assertEquals(4, run.exitCode(), run.err());
    }

    private static RoutingEvent snapshot(long revision) {
        return event(revision)
                .setSnapshot(RoutingSnapshot.newBuilder()
                        .setFirst(true)
                        .setLast(true)
                        .addExecutors(ExecutorInfo.newBuilder().setExecutorId("a"))
                        .addShards(ShardRoute.newBuilder()
                                .setShardKey("0")
                                .setOwner("a")
                                .setEpoch(1))
                        .addShards(ShardRoute.newBuilder().setShardKey("1")))
                .build();
    }

    private static RoutingEvent moved(long from, long to, String owner, long epoch) {
        return event(to)
                .setDelta(RoutingDelta.newBuilder()
                        .setFromRevision(from)
                        .addExecutors(ExecutorInfo.newBuilder().setExecutorId(owner))
                        .addShards(ShardRoute.newBuilder()
                                .setShardKey("0")
                                .setOwner(owner)
                                .setEpoch(epoch)))
                .build();
    }

    private static RoutingEvent beat(long revision) {
        return event(revision).setBeat(Beat.getDefaultInstance()).build();
    }

    private static RoutingEvent.Builder event(long revision) {
        return RoutingEvent.newBuilder().setIncarnation("s1").setRevision(revision);
    }
}
