package io.shardwright.rpc.service;

import static io.shardwright.rpc.service.ServicesUnderTest.EPHEMERAL;
import static io.shardwright.rpc.service.ServicesUnderTest.FIXED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.Status.Code;
import io.grpc.stub.ClientCalls;
import io.shardwright.proto.v1.AdminServiceGrpc;
import io.shardwright.proto.v1.CreateNamespaceRequest;
import io.shardwright.proto.v1.DeleteNamespaceRequest;
import io.shardwright.proto.v1.DeregisterRequest;
import io.shardwright.proto.v1.DescribeExecutorRequest;
import io.shardwright.proto.v1.DescribeNamespaceRequest;
import io.shardwright.proto.v1.DrainHostsRequest;
import io.shardwright.proto.v1.DrainShardsRequest;
import io.shardwright.proto.v1.ExecutorServiceGrpc;
import io.shardwright.proto.v1.GetRoutingTableRequest;
import io.shardwright.proto.v1.GetShardOwnerRequest;
import io.shardwright.proto.v1.InspectShardRequest;
import io.shardwright.proto.v1.ListDrainsRequest;
import io.shardwright.proto.v1.ListExecutorsRequest;
import io.shardwright.proto.v1.ListNamespacesRequest;
import io.shardwright.proto.v1.ListReplicasRequest;
import io.shardwright.proto.v1.Namespace;
import io.shardwright.proto.v1.NamespaceKind;
import io.shardwright.proto.v1.ShardEpoch;
import io.shardwright.proto.v1.SpectatorServiceGrpc;
import io.shardwright.proto.v1.TransferLeadershipRequest;
import io.shardwright.proto.v1.UndrainHostsRequest;
import io.shardwright.proto.v1.UndrainShardsRequest;
import io.shardwright.proto.v1.WatchRoutingRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each name in each request of each call, as it must not be. Calls and fields are read from the services. */
final class EveryCallTest {

    private static final ServicesUnderTest SERVICES = ServicesUnderTest.serving();

    private static final String KEY = "3";

    /** A request of each call that would be served. */
    private static final Map<String, Message> GOOD = Map.ofEntries(
            Map.entry("Register", withClaim(ServicesUnderTest.registration("b"))),
            Map.entry("Renew", ServicesUnderTest.renewal("a", 1, ServicesUnderTest.claim(KEY, 1))),
            Map.entry("WatchAssignments", ServicesUnderTest.watch("a")),
            Map.entry(
                    "Release",
                    ServicesUnderTest.release(
                            "a",
                            ShardEpoch.newBuilder().setShardKey(KEY).setEpoch(1).build())),
            Map.entry(
                    "Deregister",
                    DeregisterRequest.newBuilder()
                            .setNamespace(FIXED)
                            .setExecutorId("a")
                            .setProcessId("process of a")
                            .build()),
            Map.entry(
                    "GetShardOwner",
                    GetShardOwnerRequest.newBuilder()
                            .setNamespace(EPHEMERAL)
                            .setShardKey(KEY)
                            .build()),
            Map.entry(
                    "GetRoutingTable",
                    GetRoutingTableRequest.newBuilder().setNamespace(FIXED).build()),
            Map.entry(
                    "WatchRouting",
                    WatchRoutingRequest.newBuilder().setNamespace(FIXED).build()),
            Map.entry(
                    "CreateNamespace",
                    CreateNamespaceRequest.newBuilder()
                            .setNamespace(Namespace.newBuilder()
                                    .setName("new")
                                    .setKind(NamespaceKind.NAMESPACE_KIND_EPHEMERAL))
                            .build()),
            Map.entry("ListNamespaces", ListNamespacesRequest.getDefaultInstance()),
            Map.entry(
                    "DescribeNamespace",
                    DescribeNamespaceRequest.newBuilder().setNamespace(FIXED).build()),
            Map.entry(
                    "DeleteNamespace",
                    DeleteNamespaceRequest.newBuilder().setNamespace(EPHEMERAL).build()),
            Map.entry(
                    "ListExecutors",
                    ListExecutorsRequest.newBuilder().setNamespace(FIXED).build()),
            Map.entry(
                    "DescribeExecutor",
                    DescribeExecutorRequest.newBuilder()
                            .setNamespace(FIXED)
                            .setExecutorId("a")
                            .build()),
            Map.entry(
                    "DrainShards",
                    DrainShardsRequest.newBuilder()
                            .setNamespace(FIXED)
                            .addShardKeys(KEY)
                            .build()),
            Map.entry(
                    "UndrainShards",
                    UndrainShardsRequest.newBuilder()
                            .setNamespace(FIXED)
                            .addShardKeys(KEY)
                            .build()),
            Map.entry(
                    "DrainHosts",
                    DrainHostsRequest.newBuilder()
                            .setNamespace(FIXED)
                            .addHosts("h")
                            .build()),
            Map.entry(
                    "UndrainHosts",
                    UndrainHostsRequest.newBuilder()
                            .setNamespace(FIXED)
                            .addHosts("h")
                            .build()),
            Map.entry(
                    "ListDrains",
                    ListDrainsRequest.newBuilder().setNamespace(FIXED).build()),
            Map.entry("ListReplicas", ListReplicasRequest.getDefaultInstance()),
            Map.entry("TransferLeadership", TransferLeadershipRequest.getDefaultInstance()),
            Map.entry(
                    "InspectShard",
                    InspectShardRequest.newBuilder()
                            .setNamespace(FIXED)
                            .setShardKey(KEY)
                            .build()));

    private static Message withClaim(io.shardwright.proto.v1.RegisterRequest request) {
        return request.toBuilder().addClaims(ServicesUnderTest.claim(KEY, 1)).build();
    }

    private static List<MethodDescriptor<?, ?>> methods() {
        List<MethodDescriptor<?, ?>> methods = new ArrayList<>();
        methods.addAll(ExecutorServiceGrpc.getServiceDescriptor().getMethods());
        methods.addAll(SpectatorServiceGrpc.getServiceDescriptor().getMethods());
        methods.addAll(AdminServiceGrpc.getServiceDescriptor().getMethods());
        return methods;
    }

    /** A call whose request has one bad name in it. */
    record BadCall(MethodDescriptor<?, ?> method, String field, String value, Message request) {
        @Override
        public String toString() {
            String shown = value.length() > 20 ? value.length() + " characters" : value;
            return method.getBareMethodName() + " " + field + "=" + shown.replaceAll("\\p{Cntrl}", "?");
        }
    }

    private static List<BadCall> bad(MethodDescriptor<?, ?> method, String... values) {
        Message good = good(method);
        List<BadCall> bad = new ArrayList<>();
        for (String value : values) {
            spoil(good, value, (field, request) -> bad.add(new BadCall(method, field, value, request)));
        }
        return bad;
    }

    private static Message good(MethodDescriptor<?, ?> method) {
        Message good = GOOD.get(method.getBareMethodName());
        if (good == null) {
            throw new AssertionError("no request of " + method.getFullMethodName() + " is known here");
        }
        return good;
    }

    /** Takes a request that has a bad value in one field. */
    private interface Spoiled {
        void take(String field, Message request);
    }

    private static void spoil(Message good, String value, Spoiled spoiled) {
        for (FieldDescriptor field : good.getDescriptorForType().getFields()) {
            if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
                if (field.isRepeated() && good.getRepeatedFieldCount(field) > 0) {
                    spoil(
                            (Message) good.getRepeatedField(field, 0),
                            value,
                            (name, part) -> spoiled.take(
                                    name,
                                    good.toBuilder()
                                            .setRepeatedField(field, 0, part)
                                            .build()));
                } else if (!field.isRepeated() && good.hasField(field)) {
                    spoil(
                            (Message) good.getField(field),
                            value,
                            (name, part) -> spoiled.take(
                                    name, good.toBuilder().setField(field, part).build()));
                }
            } else if (isName(field)) {
                // The name of a namespace that is to be created is refused as that of any other.
                String shown =
                        switch (field.getName()) {
                            case "name" -> "namespace";
                            case "shard_keys" -> "shard_key";
                            default -> field.getName();
                        };
                spoiled.take(
                        shown,
                        field.isRepeated()
                                ? good.toBuilder()
                                        .setRepeatedField(field, 0, value)
                                        .build()
                                : good.toBuilder().setField(field, value).build());
            }
        }
    }

    private static boolean isName(FieldDescriptor field) {
        return List.of("shardwright.v1.Namespace.name", "namespace", "shard_key", "shard_keys", "hosts", "executor_id")
                .stream()
                .anyMatch(name ->
                        field.getName().equals(name) || field.getFullName().equals(name));
    }

    @BeforeAll
    static void anExecutorHasAllShards() {
        SERVICES.register("a");
    }

    @AfterAll
    static void close() {
        SERVICES.close();
    }

    @Test
    void theCallsHereAreAllCallsAndTheirNamesAreMany() {
        TreeSet<String> names = new TreeSet<>();
        methods().forEach(method -> names.add(method.getBareMethodName()));
        assertEquals(new TreeSet<>(GOOD.keySet()), names);
        assertEquals(
                19,
                badNames()
                        .filter(call ->
                                call.field().equals("namespace") && call.value().isEmpty())
                        .count());
        assertEquals(
                7,
                badNames()
                        .filter(call ->
                                call.field().equals("shard_key") && call.value().isEmpty())
                        .count());
    }

    static Stream<BadCall> badNames() {
        return methods().stream()
                .flatMap(method -> bad(method, "", "k".repeat(10_000), "a\nb", "\u0000", "c1\u0085").stream());
    }

    @ParameterizedTest
    @MethodSource("badNames")
    @Tag("B8")
    void aBadNameIsRefusedWithItsRuleAndChangesNothing(BadCall bad) {
        long before = revision();
        Problem problem = Problem.of(() -> run(bad.method(), bad.request()));
        assertEquals(Code.INVALID_ARGUMENT, problem.code(), problem.sentence());
        assertEquals("INVALID_FIELD", problem.reason());
        assertEquals(bad.field(), problem.metadata().get("field"), problem.sentence());
        String rule = problem.metadata().getOrDefault("rule", "");
        assertTrue(rule.startsWith("must "), rule);
        assertTrue(
                problem.sentence().contains(bad.field()) && problem.sentence().contains(rule), problem.sentence());
        assertTrue(problem.sentence().length() < 400, "the value is not repeated in full");
        assertTrue(problem.sentence().chars().noneMatch(Character::isISOControl), "nor are its control characters");
        assertEquals(before, revision());
    }

    static Stream<BadCall> unknownNamespaces() {
        return methods().stream()
                .filter(method -> method != AdminServiceGrpc.getCreateNamespaceMethod())
                .flatMap(method -> bad(method, "nowhere").stream())
                .filter(call -> call.field().equals("namespace"));
    }

    @ParameterizedTest
    @MethodSource("unknownNamespaces")
    @Tag("B8")
    void anUnknownNamespaceIsNotFoundAndSaysWhatToDo(BadCall bad) {
        Problem problem = Problem.of(() -> run(bad.method(), bad.request()));
        assertEquals(Code.NOT_FOUND, problem.code(), problem.sentence());
        assertEquals("NAMESPACE_NOT_FOUND", problem.reason());
        assertEquals("nowhere", problem.metadata().get("namespace"));
        assertFalse(problem.neverRan());
        assertTrue(problem.sentence().contains("shardctl namespace create"), problem.sentence());
    }

    private static long revision() {
        return SERVICES.admin()
                .describeNamespace(DescribeNamespaceRequest.newBuilder()
                        .setNamespace(FIXED)
                        .build())
                .getRevision();
    }

    @SuppressWarnings("unchecked") // the request was made for this method
    private static void run(MethodDescriptor<?, ?> method, Message request) {
        MethodDescriptor<Message, Message> call = (MethodDescriptor<Message, Message>) method;
        CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(20, TimeUnit.SECONDS);
        if (method.getType() == MethodDescriptor.MethodType.UNARY) {
            ClientCalls.blockingUnaryCall(SERVICES.channel, call, options, request);
        } else {
            ClientCalls.blockingServerStreamingCall(SERVICES.channel, call, options, request)
                    .next();
        }
    }
}
