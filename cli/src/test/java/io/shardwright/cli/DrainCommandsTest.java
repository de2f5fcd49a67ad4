package io.shardwright.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonParser;
import com.google.protobuf.Message;
import io.shardwright.proto.v1.Drain;
import io.shardwright.proto.v1.DrainHostsRequest;
import io.shardwright.proto.v1.DrainHostsResponse;
import io.shardwright.proto.v1.DrainShardsRequest;
import io.shardwright.proto.v1.DrainShardsResponse;
import io.shardwright.proto.v1.DrainedHost;
import io.shardwright.proto.v1.DrainedShard;
import io.shardwright.proto.v1.ExecutorDetails;
import io.shardwright.proto.v1.ExecutorInfo;
import io.shardwright.proto.v1.ExecutorStatus;
import io.shardwright.proto.v1.ListDrainsResponse;
import io.shardwright.proto.v1.ListExecutorsResponse;
import io.shardwright.proto.v1.UndrainHostsResponse;
import io.shardwright.proto.v1.UndrainShardsResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What operators drain, and how they are told. */
final class DrainCommandsTest {

    private static final Drain DRAIN = Drain.newBuilder()
            .setDrainedBy("ann")
            .setReason("disk")
            .setDrainedAtMillis(1_767_323_045_678L)
            .build();

    private final FakeServer server = new FakeServer();

    @AfterEach
    void stop() {
        server.close();
    }

    private Run run(List<Message> answers, String input, String... args) {
        answers.forEach(server::answer);
        List<String> all = new ArrayList<>(List.of("--address", server.address(), "-n", "orders"));
        all.addAll(List.of(args));
        return Run.with(Map.of(), input, all.toArray(String[]::new));
    }

    private static ExecutorDetails executor(String id, String host, int shards) {
        return ExecutorDetails.newBuilder()
                .setInfo(ExecutorInfo.newBuilder().setExecutorId(id).setHost(host))
                .setStatus(ExecutorStatus.EXECUTOR_STATUS_ACTIVE)
                .setAssignedCount(shards)
                .build();
    }

    @Test
    void drainedShardsAreNamedWithTheUserAndTheReason() {
        DrainShardsResponse answer =
                DrainShardsResponse.newBuilder().addDrainedShardKeys("17").build();
        Run run = run(List.of(answer), "", "shard", "drain", "17", "18", "--reason", "disk");
        assertEquals("Drained 17.\n", run.out());
        assertEquals(
                DrainShardsRequest.newBuilder()
                        .setNamespace("orders")
                        .addShardKeys("17")
                        .addShardKeys("18")
                        .setDrainedBy(System.getProperty("user.name"))
                        .setReason("disk")
                        .build(),
                server.requests.peek());
        assertEquals(
                "{\"drained\":[\"17\"]}",
                JsonParser.parseString(run(List.of(answer), "", "sh", "drain", "17", "-o", "json")
                                .out())
                        .toString());
    }

    @Test
    void whatIsRepeatedSaysThatNothingChanged() {
        assertEquals(
                "Nothing changed: they were drained already.\n",
                run(List.of(DrainShardsResponse.getDefaultInstance()), "", "shard", "drain", "17")
                        .out());
        assertEquals(
                "Nothing changed: none was drained.\n",
                run(List.of(UndrainShardsResponse.getDefaultInstance()), "", "shard", "undrain", "17")
                        .out());
        assertEquals(
                "Took back h1, h2.\n",
                run(
                                List.of(UndrainHostsResponse.newBuilder()
                                        .addUndrainedHosts("h1")
                                        .addUndrainedHosts("h2")
                                        .build()),
                                "",
                                "ex",
                                "undrain",
                                "h1",
                                "h2")
                        .out());
    }

    @Test
    void aHostIsDrainedAfterAQuestionThatSaysWhatItConcerns() {
        ListExecutorsResponse executors = ListExecutorsResponse.newBuilder()
                .addExecutors(executor("a", "h1", 3))
                .addExecutors(executor("b", "h1", 4))
                .addExecutors(executor("c", "h2", 5))
                .build();
        DrainHostsResponse answer =
                DrainHostsResponse.newBuilder().addDrainedHosts("h1").build();
        Run run = run(List.of(executors, answer), "y\n", "executor", "drain", "h1", "h9");
        assertEquals(0, run.exitCode(), run.err());
        assertEquals("Drained h1.\n", run.out());
        assertTrue(run.err().contains("h1: 2 executors, 7 shards"), run.err());
        assertTrue(run.err().contains("Warning: no executor of this namespace runs on h9"), run.err());
        assertTrue(!run.err().contains("no other executor could take shards"), run.err());
    }

    @Test
    void aHostIsNotDrainedWithoutAYes() {
        ListExecutorsResponse executors = ListExecutorsResponse.newBuilder()
                .addExecutors(executor("a", "h1", 3))
                .build();
        for (String input : List.of("", "n\n")) {
            server.requests.clear();
            Run run = run(List.of(executors), input, "executor", "drain", "h1");
            assertTrue(run.exitCode() != 0);
            assertTrue(run.err().contains("nothing was drained"), run.err());
            assertTrue(run.err().contains("Warning: no other executor could take shards"), run.err());
            assertEquals(1, server.requests.size(), "it was not asked to drain");
        }
        server.requests.clear();
        run(List.of(DrainHostsResponse.getDefaultInstance()), "", "executor", "drain", "h1", "--yes");
        assertTrue(server.requests.peek() instanceof DrainHostsRequest, "it was not asked");
    }

    @Test
    void drainsAreListedWithWhatIsLeftToHandOver() {
        ListDrainsResponse drains = ListDrainsResponse.newBuilder()
                .addShards(DrainedShard.newBuilder()
                        .setShardKey("17")
                        .setDrain(DRAIN)
                        .setOwner("a"))
                .addHosts(DrainedHost.newBuilder()
                        .setHost("h1")
                        .setDrain(DRAIN)
                        .setExecutorCount(2)
                        .setShardCount(7))
                .build();
        assertEquals("""
                SHARD  STILL AT  DRAINED BY  SINCE                 REASON
                17     a         ann         2026-01-02T03:04:05Z  disk
                """, run(List.of(drains), "", "shard", "list-drained").out());
        assertEquals("""
                HOST  DRAINED BY  SINCE                 REASON  EXECUTORS  SHARDS
                h1    ann         2026-01-02T03:04:05Z  disk            2       7
                """, run(List.of(drains), "", "executor", "list-drained").out());
        assertEquals(
                "{\"hosts\":[{\"host\":\"h1\",\"executorCount\":2,\"shardCount\":7,\"drainedBy\":\"ann\",\"reason\":\"disk\","
                        + "\"drainedAt\":\"2026-01-02T03:04:05.678Z\"}]}",
                JsonParser.parseString(run(List.of(drains), "", "executor", "list-drained", "-o", "json")
                                .out())
                        .toString());
        assertEquals(
                "{\"shards\":[{\"shardKey\":\"17\",\"owner\":\"a\",\"drainedBy\":\"ann\",\"reason\":\"disk\","
                        + "\"drainedAt\":\"2026-01-02T03:04:05.678Z\"}]}",
                JsonParser.parseString(run(List.of(drains), "", "shard", "list-drained", "-o", "json")
                                .out())
                        .toString());
    }
}
