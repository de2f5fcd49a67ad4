package io.shardwright.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonParser;
import com.google.protobuf.Message;
import io.shardwright.proto.v1.CreateNamespaceRequest;
import io.shardwright.proto.v1.CreateNamespaceResponse;
import io.shardwright.proto.v1.DeleteNamespaceRequest;
import io.shardwright.proto.v1.DeleteNamespaceResponse;
import io.shardwright.proto.v1.DescribeExecutorResponse;
import io.shardwright.proto.v1.DescribeNamespaceRequest;
import io.shardwright.proto.v1.DescribeNamespaceResponse;
import io.shardwright.proto.v1.ExecutorDetails;
import io.shardwright.proto.v1.ExecutorInfo;
import io.shardwright.proto.v1.ExecutorStatus;
import io.shardwright.proto.v1.InspectShardRequest;
import io.shardwright.proto.v1.InspectShardResponse;
import io.shardwright.proto.v1.Label;
import io.shardwright.proto.v1.ListExecutorsRequest;
import io.shardwright.proto.v1.ListExecutorsResponse;
import io.shardwright.proto.v1.ListNamespacesResponse;
import io.shardwright.proto.v1.Namespace;
import io.shardwright.proto.v1.NamespaceKind;
import io.shardwright.proto.v1.ShardActivity;
import io.shardwright.proto.v1.ShardDetails;
import io.shardwright.proto.v1.ShardState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Every command that makes one call: what it asks, and what it prints as a table and as JSON. */
final class AdminCommandsTest {
    private static final Namespace ORDERS = Namespace.newBuilder()
            .setName("orders")
            .setKind(NamespaceKind.NAMESPACE_KIND_FIXED)
            .setShardCount(64)
            .setLeaseMillis(15_000)
            .setBalancer("naive")
            .build();
    private static final Namespace SESSIONS = Namespace.newBuilder()
            .setName("sessions")
            .setKind(NamespaceKind.NAMESPACE_KIND_EPHEMERAL)
            .setLeaseMillis(1_500)
            .build();
    private static final String ORDERS_JSON =
            "{\"name\":\"orders\",\"kind\":\"fixed\",\"shardCount\":64,\"leaseMillis\":15000,\"balancer\":\"naive\"}";
    private static final String SESSIONS_JSON =
            "{\"name\":\"sessions\",\"kind\":\"ephemeral\",\"shardCount\":0,\"leaseMillis\":1500,\"balancer\":null}";
    private static final ExecutorInfo WORKER = ExecutorInfo.newBuilder()
            .setExecutorId("worker-1")
            .setAddress("10.0.0.7:7000")
            .addLabels(Label.newBuilder().setKey("zone").setValue("a"))
            .build();
    private static final ExecutorDetails WORKER_DETAILS = ExecutorDetails.newBuilder()
            .setInfo(WORKER)
            .setProcessId("p1")
            .setStatus(ExecutorStatus.EXECUTOR_STATUS_ACTIVE)
            .setLeaseRemainingMillis(12_345)
            .setLastRenewalAgeMillis(250)
            .setAssignedCount(32)
            .setReleasingCount(1)
            .setLoad(1.5)
            .build();
    private static final String WORKER_JSON =
            "\"executorId\":\"worker-1\",\"address\":\"10.0.0.7:7000\",\"host\":null,\"labels\":{\"zone\":\"a\"}";
    private static final String WORKER_DETAILS_JSON = "{" + WORKER_JSON
            + ",\"processId\":\"p1\",\"status\":\"active\",\"leaseRemainingMillis\":12345,\"lastRenewalAgeMillis\":250,"
            + "\"assignedCount\":32,\"releasingCount\":1,\"load\":1.5,\"drain\":null}";
    private static final ShardDetails SHARD = ShardDetails.newBuilder()
            .setShardKey("17")
            .setState(ShardState.SHARD_STATE_RELEASING)
            .setOwner("worker-1")
            .setNextOwner("worker-2")
            .setEpoch(-1) // 2^64 - 1: unsigned on the wire
            .setLoad(0.25)
            .setActivity(ShardActivity.SHARD_ACTIVITY_STOPPING)
            .setReason("moves to the least loaded executor")
            .build();
    private static final String SHARD_JSON =
            "{\"shardKey\":\"17\",\"state\":\"releasing\",\"owner\":\"worker-1\",\"nextOwner\":\"worker-2\","
                    + "\"epoch\":18446744073709551615,\"load\":0.25,\"activity\":\"stopping\","
                    + "\"reason\":\"moves to the least loaded executor\",\"drain\":null}";

    private final FakeServer server = new FakeServer();

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void namespaceListShowsAllNamespaces() {
        ListNamespacesResponse answer = ListNamespacesResponse.newBuilder()
                .addNamespaces(ORDERS)
                .addNamespaces(SESSIONS)
                .build();
        assertEquals("""
                NAME      KIND       SHARDS  LEASE  BALANCER
                orders    fixed          64    15s  naive
                sessions  ephemeral       -   1.5s  -
                """, table(answer, "namespace", "list"));
        assertJson("{\"namespaces\":[" + ORDERS_JSON + "," + SESSIONS_JSON + "]}", answer, "ns", "ls");
    }

    @Test
    void anEmptyListIsAHeaderAndAnEmptyArray() {
        ListNamespacesResponse nothing = ListNamespacesResponse.getDefaultInstance();
        assertEquals("NAME  KIND  SHARDS  LEASE  BALANCER\n", table(nothing, "namespace", "list"));
        assertJson("{\"namespaces\":[]}", nothing, "namespace", "list");
    }

    @Test
    void namespaceCreateAsksForAFixedNamespace() {
        CreateNamespaceResponse answer = CreateNamespaceResponse.newBuilder()
                .setNamespace(ORDERS)
                .setCreated(true)
                .build();
        assertEquals(
                """
                Created.
                Name:          orders
                Kind:          fixed
                Fixed shards:  64
                Lease:         15s
                Balancer:      naive
                """,
                table(
                        answer,
                        "namespace",
                        "create",
                        "orders",
                        "--shards",
                        "64",
                        "--lease",
                        "15s",
                        "--balancer",
                        "naive"));
        assertEquals(CreateNamespaceRequest.newBuilder().setNamespace(ORDERS).build(), server.requests.peek());
    }

    @Test
    void namespaceCreateAsksForAnEphemeralNamespaceAndLeavesDefaultsToTheServer() {
        CreateNamespaceResponse answer =
                CreateNamespaceResponse.newBuilder().setNamespace(SESSIONS).build();
        assertJson(
                "{\"created\":false,\"namespace\":" + SESSIONS_JSON + "}",
                answer,
                "ns",
                "create",
                "sessions",
                "--ephemeral");
        assertEquals(
                CreateNamespaceRequest.newBuilder()
                        .setNamespace(Namespace.newBuilder()
                                .setName("sessions")
                                .setKind(NamespaceKind.NAMESPACE_KIND_EPHEMERAL))
                        .build(),
                server.requests.peek());
    }

    @Test
    void namespaceDescribeShowsSettingsAndFigures() {
        DescribeNamespaceResponse answer = DescribeNamespaceResponse.newBuilder()
                .setNamespace(ORDERS)
                .setExecutorCount(3)
                .setShardCount(64)
                .setUnassignedCount(2)
                .setReleasingCount(1)
                .setOldestUnassignedMillis(65_000)
                .setRevision(99)
                .build();
        assertEquals("""
                Name:               orders
                Kind:               fixed
                Fixed shards:       64
                Lease:              15s
                Balancer:           naive
                Executors:          3
                Shards:             64
                Unassigned:         2
                Oldest unassigned:  1m05s
                Releasing:          1
                Revision:           99
                """, table(answer, "namespace", "describe", "orders"));
        assertJson(
                "{\"namespace\":" + ORDERS_JSON + ",\"executorCount\":3,\"shardCount\":64,\"unassignedCount\":2,"
                        + "\"releasingCount\":1,\"oldestUnassignedMillis\":65000,\"revision\":99}",
                answer,
                "ns",
                "describe",
                "-n",
                "orders");
        for (Message request : server.requests) {
            assertEquals(
                    DescribeNamespaceRequest.newBuilder().setNamespace("orders").build(), request);
        }
    }

    @Test
    void namespaceDeleteWithYesDeletesWithoutAQuestion() {
        DeleteNamespaceResponse answer = DeleteNamespaceResponse.getDefaultInstance();
        assertEquals("Deleted orders.\n", table(answer, "namespace", "delete", "orders", "--yes"));
        assertJson("{\"deleted\":\"orders\"}", answer, "ns", "delete", "orders", "-y");
    }

    @Test
    void namespaceDeleteGoesOnWhenTheNameIsTypedAgain() {
        server.answer(DeleteNamespaceResponse.getDefaultInstance());
        Run run = Run.with(Map.of(), "orders\n", "-a", server.address(), "namespace", "delete", "orders");
        assertEquals(0, run.exitCode(), run.err());
        assertEquals(DeleteNamespaceRequest.newBuilder().setNamespace("orders").build(), server.requests.peek());
    }

    @Test
    void namespaceDeleteCallsNobodyWhenAnotherNameOrNothingIsTyped() {
        for (String typed : List.of("order\n", "")) {
            Run run = Run.with(Map.of(), typed, "-a", server.address(), "namespace", "delete", "orders");
            assertEquals(1, run.exitCode());
        }
        assertEquals(0, server.requests.size());
    }

    @Test
    void executorListShowsLeasesAndLoads() {
        ListExecutorsResponse answer =
                ListExecutorsResponse.newBuilder().addExecutors(WORKER_DETAILS).build();
        assertEquals("""
                EXECUTOR  STATUS  ADDRESS        HOST  SHARDS  RELEASING  LOAD  LEASE  RENEWED
                worker-1  active  10.0.0.7:7000  -         32          1  1.50  12.3s    250ms
                """, table(answer, "executor", "list", "--namespace", "orders"));
        assertJson("{\"executors\":[" + WORKER_DETAILS_JSON + "]}", answer, "ex", "ls", "-n", "orders");
        assertEquals(ListExecutorsRequest.newBuilder().setNamespace("orders").build(), server.requests.peek());
    }

    @Test
    void executorDescribeShowsItsShards() {
        DescribeExecutorResponse answer = DescribeExecutorResponse.newBuilder()
                .setExecutor(WORKER_DETAILS)
                .addShards(SHARD)
                .build();
        assertEquals("""
                Executor:      worker-1
                Status:        active
                Address:       10.0.0.7:7000
                Host:          -
                Host drained:  -
                Labels:        zone=a
                Process:       p1
                Lease left:    12.3s
                Last renewal:  250ms ago
                Assigned:      32
                Releasing:     1
                Load:          1.50

                SHARD  STATE                     EPOCH  LOAD  ACTIVITY  NEXT OWNER  REASON
                17     releasing  18446744073709551615  0.25  stopping  worker-2    moves to the least loaded executor
                """, table(answer, "executor", "describe", "worker-1", "-n", "orders"));
        assertJson(
                "{\"executor\":" + WORKER_DETAILS_JSON + ",\"shards\":[" + SHARD_JSON + "]}",
                answer,
                "ex",
                "describe",
                "worker-1",
                "-n",
                "orders");
    }

    @Test
    void shardInspectShowsOwnerEpochAndReason() {
        InspectShardResponse answer = InspectShardResponse.newBuilder()
                .setShard(SHARD)
                .setOwner(WORKER)
                .setRevision(7)
                .build();
        assertEquals("""
                Shard:          17
                State:          releasing
                Owner:          worker-1
                Owner address:  10.0.0.7:7000
                Next owner:     worker-2
                Epoch:          18446744073709551615
                Load:           0.25
                Activity:       stopping
                Reason:         moves to the least loaded executor
                Drained:        -
                Revision:       7
                """, table(answer, "shard", "inspect", "17", "-n", "orders"));
        assertJson(
                "{\"shard\":" + SHARD_JSON + ",\"owner\":{" + WORKER_JSON + "},\"revision\":7}",
                answer,
                "sh",
                "inspect",
                "17",
                "-n",
                "orders");
        assertEquals(
                InspectShardRequest.newBuilder()
                        .setNamespace("orders")
                        .setShardKey("17")
                        .build(),
                server.requests.peek());
    }

    @Test
    void aShardWithoutOwnerShowsDashesAndNulls() {
        InspectShardResponse answer = InspectShardResponse.newBuilder()
                .setShard(ShardDetails.newBuilder().setShardKey("3").setState(ShardState.SHARD_STATE_UNASSIGNED))
                .build();
        assertEquals("""
                Shard:          3
                State:          unassigned
                Owner:          -
                Owner address:  -
                Next owner:     -
                Epoch:          0
                Load:           -
                Activity:       -
                Reason:         -
                Drained:        -
                Revision:       0
                """, table(answer, "shard", "inspect", "3", "-n", "orders"));
        assertJson(
                "{\"shard\":{\"shardKey\":\"3\",\"state\":\"unassigned\",\"owner\":null,\"nextOwner\":null,\"epoch\":0,"
                        + "\"load\":null,\"activity\":null,\"reason\":null,\"drain\":null},\"owner\":null,\"revision\":0}",
                answer,
                "shard",
                "inspect",
                "3",
                "-n",
                "orders");
    }

    @Test
    void whatTheServerSendsCannotSteerTheTerminal() {
        InspectShardResponse answer = InspectShardResponse.newBuilder()
                .setShard(SHARD.toBuilder().setReason("\u001b[2Jgone"))
                .build();
        String shown = table(answer, "shard", "inspect", "17", "-n", "orders");
        assertEquals(-1, shown.indexOf('\u001b'), shown);
    }

    private String table(Message answer, String... args) {
        Run run = run(answer, args);
        assertEquals(0, run.exitCode(), run.err());
        assertEquals("", run.err());
        return run.out();
    }

    private void assertJson(String expected, Message answer, String... args) {
        List<String> withJson = new ArrayList<>(List.of(args));
        withJson.addAll(List.of("--output", "json"));
        Run run = run(answer, withJson.toArray(String[]::new));
        assertEquals(0, run.exitCode(), run.err());
        assertEquals(expected, JsonParser.parseString(run.out()).toString());
    }

    private Run run(Message answer, String... args) {
        server.answer(answer);
        List<String> all = new ArrayList<>(List.of("--address", server.address()));
        all.addAll(List.of(args));
        return Run.of(all.toArray(String[]::new));
    }
}
