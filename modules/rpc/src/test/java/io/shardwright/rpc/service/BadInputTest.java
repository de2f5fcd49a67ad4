package io.shardwright.rpc.service;

import static io.shardwright.rpc.service.ServicesUnderTest.EPHEMERAL;
import static io.shardwright.rpc.service.ServicesUnderTest.FIXED;
import static io.shardwright.rpc.service.ServicesUnderTest.claim;
import static io.shardwright.rpc.service.ServicesUnderTest.claims;
import static io.shardwright.rpc.service.ServicesUnderTest.registration;
import static io.shardwright.rpc.service.ServicesUnderTest.release;
import static io.shardwright.rpc.service.ServicesUnderTest.renewal;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status.Code;
import io.shardwright.proto.v1.CreateNamespaceRequest;
import io.shardwright.proto.v1.ExecutorServiceGrpc;
import io.shardwright.proto.v1.GetShardOwnerRequest;
import io.shardwright.proto.v1.GetShardOwnerResponse;
import io.shardwright.proto.v1.InspectShardRequest;
import io.shardwright.proto.v1.Label;
import io.shardwright.proto.v1.Namespace;
import io.shardwright.proto.v1.NamespaceKind;
import io.shardwright.proto.v1.RegisterResponse;
import io.shardwright.proto.v1.RenewResponse;
import io.shardwright.proto.v1.ShardClaim;
import io.shardwright.proto.v1.ShardEpoch;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients can get wrong, and what they hear then. */
final class BadInputTest {

    private final ServicesUnderTest services = ServicesUnderTest.serving();

    @AfterEach
    void close() {
        services.close();
    }

    @Test
    void aKeyThatAFixedNamespaceDoesNotHaveIsNotFound() {
        for (String key : List.of("8", "08", "x", "-1")) {
            Problem problem = Problem.of(() -> owner(FIXED, key));
            assertEquals(Code.NOT_FOUND, problem.code());
            assertEquals("SHARD_NOT_FOUND", problem.reason());
            assertEquals(key, problem.metadata().get("shard_key"));
        }
    }

    @Test
    void aNewShardThatNobodyCanOwnIsUnavailable() {
        Problem problem = Problem.of(() -> owner(EPHEMERAL, "alice"));
        assertEquals(Code.UNAVAILABLE, problem.code());
        assertEquals("NO_EXECUTORS", problem.reason());
    }

    @Test
    @Tag("B8")
    void inspectingNeverCreatesAShard() {
        Problem problem = Problem.of(() -> services.admin()
                .inspectShard(InspectShardRequest.newBuilder()
                        .setNamespace(EPHEMERAL)
                        .setShardKey("alice")
                        .build()));
        assertEquals("SHARD_NOT_FOUND", problem.reason());
    }

    @ParameterizedTest
    @ValueSource(doubles = {-1, -0.001, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void aLoadThatIsNoLoadIsRefusedAndChangesNothing(double load) {
        RegisterResponse registered = services.register("a");
        ShardEpoch first = registered.getAssignment().getShards(0);
        ShardClaim bad = claim(first).toBuilder().setLoad(load).build();

        assertInvalid("claims.load", Problem.of(() -> services.renew("a", 7, bad)));

        // The sequence of the refused renewal was not taken either.
        RenewResponse next =
                services.renew("a", 7, claims(registered.getAssignment().getShardsList()));
        assertTrue(next.hasConfirmed());
    }

    @Test
    @Tag("B5")
    void twoLiveProcessesCannotShareAnId() {
        services.register("a");
        Problem problem = Problem.of(() -> services.executors()
                .register(registration("a").toBuilder().setProcessId("another").build()));
        assertEquals(Code.ALREADY_EXISTS, problem.code());
        assertEquals("EXECUTOR_ID_IN_USE", problem.reason());
        long wait = Long.parseLong(problem.metadata().getOrDefault("retry_after_millis", ""));
        assertTrue(wait > 0 && wait <= 60_000, problem.sentence());
        assertEquals("a", problem.metadata().get("executor_id"));

        Problem renewed = Problem.of(() -> services.executors()
                .renew(renewal("a", 1).toBuilder().setProcessId("another").build()));
        assertEquals("EXECUTOR_ID_IN_USE", renewed.reason());
    }

    @Test
    void anExecutorThatRenewsForShardsThatItDoesNotOwnIsCorrected() {
        RegisterResponse owner = services.register("a");
        RegisterResponse other = services.register("b");
        ShardEpoch held = owner.getAssignment().getShards(0);
        RenewResponse answer = services.renew("b", 1, claim(held.getShardKey(), held.getEpoch()), claim("nonsense", 3));
        assertTrue(answer.hasAssignment(), "the whole set is the correction");
        assertEquals(
                other.getAssignment().getShardsList(), answer.getAssignment().getShardsList());
        assertEquals("a", owner(FIXED, held.getShardKey()).getOwner().getExecutorId());
    }

    @Test
    void aRenewalFromAFutureEpochRaisesTheEpochAboveIt() {
        RegisterResponse registered = services.register("a");
        ShardEpoch shard = registered.getAssignment().getShards(0);
        long future = shard.getEpoch() + 1_000;

        var stream = Heard.open(
                services.channel, ExecutorServiceGrpc.getWatchAssignmentsMethod(), ServicesUnderTest.watch("a"));
        assertTrue(stream.next().hasAssignment());

        assertTrue(services.renew("a", 1, claim(shard.getShardKey(), future)).hasAssignment());

        ShardEpoch raised = stream.next().getAssignment().getShards(0);
        assertEquals(shard.getShardKey(), raised.getShardKey());
        assertTrue(raised.getEpoch() > future, raised + " must be above " + future);
    }

    @Test
    void anEpochBeyondBeliefIsRefused() {
        services.register("a");
        assertInvalid("claims.epoch", Problem.of(() -> services.renew("a", 1, claim("0", Long.MAX_VALUE))));
        assertInvalid("claims.epoch", Problem.of(() -> services.renew("a", 1, claim("0", -1))));
    }

    @Test
    void aReleaseOfAShardThatWasLostIsNamedAndIgnored() {
        RegisterResponse registered = services.register("a");
        ShardEpoch held = registered.getAssignment().getShards(0);
        ShardEpoch old = held.toBuilder().setEpoch(held.getEpoch() - 1).build();
        ShardEpoch unknown = held.toBuilder().setShardKey("nonsense").build();

        assertEquals(
                List.of(held.getShardKey(), "nonsense"),
                services.executors().release(release("a", old, unknown)).getNotHeldList());
        assertEquals("a", owner(FIXED, held.getShardKey()).getOwner().getExecutorId());
    }

    @Test
    void anExecutorThatIsNotRegisteredIsToldSo() {
        Problem problem = Problem.of(() -> services.renew("ghost", 1));
        assertEquals(Code.NOT_FOUND, problem.code());
        assertEquals("EXECUTOR_NOT_REGISTERED", problem.reason());
        assertEquals("ghost", problem.metadata().get("executor_id"));
    }

    @Test
    void fieldsOfARegistrationAreChecked() {
        assertInvalid("executor_id", refused(registration("a b")));
        assertInvalid("executor_id", refused(registration("")));
        assertInvalid(
                "process_id",
                refused(registration("a").toBuilder().clearProcessId().build()));
        assertInvalid(
                "namespace",
                refused(registration("a").toBuilder().clearNamespace().build()));
        assertInvalid(
                "namespace",
                refused(registration("a").toBuilder().setNamespace("No Such").build()));
        assertInvalid(
                "address",
                refused(registration("a").toBuilder()
                        .setAddress("x".repeat(513))
                        .build()));
        Label label = Label.newBuilder().setKey("zone").setValue("1").build();
        assertInvalid(
                "labels.key",
                refused(registration("a").toBuilder()
                        .addLabels(label)
                        .addLabels(label)
                        .build()));
    }

    @Test
    void aSequenceStartsAtOne() {
        services.register("a");
        assertInvalid("sequence", Problem.of(() -> services.renew("a", 0)));
    }

    @Test
    void moreClaimsThanOneCallMayHoldAreRefused() {
        services.register("a");
        ShardClaim[] many = Collections.nCopies(100_001, claim("0", 1)).toArray(ShardClaim[]::new);
        Problem problem = Problem.of(() -> services.renew("a", 1, many));
        assertEquals(Code.RESOURCE_EXHAUSTED, problem.code());
        assertEquals("LIMIT_REACHED", problem.reason());
        assertEquals("100001", problem.metadata().get("value"));
    }

    @Test
    void aNamespaceIsCheckedBeforeItIsCreated() {
        Namespace good = Namespace.newBuilder()
                .setName("new")
                .setKind(NamespaceKind.NAMESPACE_KIND_FIXED)
                .setShardCount(4)
                .build();
        assertInvalid(
                "namespace",
                Problem.of(() -> services.admin().createNamespace(CreateNamespaceRequest.getDefaultInstance())));
        assertInvalid("kind", created(good.toBuilder().clearKind().build()));
        assertInvalid("kind", created(good.toBuilder().setKindValue(99).build()));
        assertInvalid("shard_count", created(good.toBuilder().setShardCount(0).build()));
        assertInvalid("shard_count", created(good.toBuilder().setShardCount(-1).build()));
        assertInvalid(
                "shard_count",
                created(good.toBuilder()
                        .setKind(NamespaceKind.NAMESPACE_KIND_EPHEMERAL)
                        .build()));
        assertInvalid(
                "lease_millis", created(good.toBuilder().setLeaseMillis(999).build()));
        assertInvalid(
                "lease_millis", created(good.toBuilder().setLeaseMillis(-1).build()));
        assertInvalid("balancer", created(good.toBuilder().setBalancer("magic").build()));
    }

    @Test
    void aNamespaceWithOtherSettingsIsNotOverwritten() {
        Problem problem = created(Namespace.newBuilder()
                .setName(FIXED)
                .setKind(NamespaceKind.NAMESPACE_KIND_FIXED)
                .setShardCount(9)
                .build());
        assertEquals(Code.ALREADY_EXISTS, problem.code());
        assertEquals("NAMESPACE_EXISTS", problem.reason());
        assertTrue(problem.metadata().getOrDefault("stored", "").contains("8 shards"), problem.sentence());
        assertTrue(problem.metadata().getOrDefault("asked", "").contains("9 shards"), problem.sentence());
    }

    private Problem created(Namespace namespace) {
        return Problem.of(() -> services.admin()
                .createNamespace(CreateNamespaceRequest.newBuilder()
                        .setNamespace(namespace)
                        .build()));
    }

    private Problem refused(io.shardwright.proto.v1.RegisterRequest request) {
        return Problem.of(() -> services.executors().register(request));
    }

    private GetShardOwnerResponse owner(String namespace, String key) {
        return services.spectators()
                .getShardOwner(GetShardOwnerRequest.newBuilder()
                        .setNamespace(namespace)
                        .setShardKey(key)
                        .build());
    }

    private static void assertInvalid(String field, Problem problem) {
        assertEquals(Code.INVALID_ARGUMENT, problem.code(), problem.sentence());
        assertEquals("INVALID_FIELD", problem.reason());
        assertEquals(field, problem.metadata().get("field"), problem.sentence());
        assertTrue(problem.metadata().containsKey("value"));
        assertFalse(String.valueOf(problem.metadata().get("rule")).isEmpty());
    }
}
