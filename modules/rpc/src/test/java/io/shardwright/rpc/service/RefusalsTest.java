package io.shardwright.rpc.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.shardwright.control.Reply.Refusal;
import io.shardwright.domain.Drain;
import io.shardwright.domain.ExecutorId;
import io.shardwright.domain.Namespace;
import io.shardwright.domain.NamespaceName;
import io.shardwright.domain.ShardKey;
import io.shardwright.election.LeaderAddress;
import io.shardwright.proto.v1.NotLeader;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each refusal has the code, reason and metadata that {@code errors.proto} promises, and a sentence. */
final class RefusalsTest {

    private static final NamespaceName ORDERS = new NamespaceName("orders");
    private static final ExecutorId A = new ExecutorId("a");

    @Test
    void whatIsMissingIsNotFound() {
        assertProblem(
                new Refusal.NoSuchNamespace(ORDERS),
                Code.NOT_FOUND,
                "NAMESPACE_NOT_FOUND",
                Map.of("namespace", "orders"));
        assertProblem(
                new Refusal.NoSuchShard(ORDERS, new ShardKey("9")),
                Code.NOT_FOUND,
                "SHARD_NOT_FOUND",
                Map.of("namespace", "orders", "shard_key", "9"));
        assertProblem(
                new Refusal.NotRegistered(ORDERS, A),
                Code.NOT_FOUND,
                "EXECUTOR_NOT_REGISTERED",
                Map.of("namespace", "orders", "executor_id", "a"));
    }

    @Test
    void aDrainedShardSaysWhoDrainedItWhenAndWhy() {
        Drain drain = new Drain("ann", "disk", Instant.parse("2026-01-02T03:04:05Z"));
        Refusal refusal = new Refusal.ShardDrained(ORDERS, new ShardKey("9"), drain);
        assertProblem(
                refusal,
                Code.FAILED_PRECONDITION,
                "SHARD_DRAINED",
                Map.of("namespace", "orders", "shard_key", "9", "drained_by", "ann", "reason", "disk"));
        String sentence = String.valueOf(Refusals.status(refusal).getStatus().getDescription());
        assertTrue(sentence.contains("since 2026-01-02T03:04:05Z by ann (disk)"), sentence);
    }

    @Test
    void theWaitForAnIdIsRoundedUp() {
        assertProblem(
                new Refusal.IdInUse(ORDERS, A, Duration.ofNanos(1_000_001)),
                Code.ALREADY_EXISTS,
                "EXECUTOR_ID_IN_USE",
                Map.of("namespace", "orders", "executor_id", "a", "retry_after_millis", "2"));
    }

    @Test
    void settingsThatDifferAreBothNamed() {
        Namespace stored = new Namespace(ORDERS, new Namespace.Kind.Fixed(8), Duration.ofSeconds(15), "naive");
        Namespace asked = new Namespace(ORDERS, new Namespace.Kind.Ephemeral(), Duration.ofSeconds(1), "naive");
        assertProblem(
                new Refusal.NamespaceDiffers(stored, asked),
                Code.ALREADY_EXISTS,
                "NAMESPACE_EXISTS",
                Map.of(
                        "namespace", "orders",
                        "stored", "fixed with 8 shards, lease 15000 ms, balancer naive",
                        "asked", "ephemeral, lease 1000 ms, balancer naive"));
    }

    @Test
    void aNamespaceInUseIsAFailedPrecondition() {
        assertProblem(
                new Refusal.NamespaceInUse(ORDERS, 3),
                Code.FAILED_PRECONDITION,
                "NAMESPACE_IN_USE",
                Map.of("namespace", "orders", "executors", "3"));
    }

    @Test
    void aFullNamespaceNamesItsLimitAndWhatToDo() {
        Refusal full = new Refusal.NamespaceFull(ORDERS, new ShardKey("user-1"), 50_000, 1 << 20);
        assertProblem(
                full,
                Code.RESOURCE_EXHAUSTED,
                "LIMIT_REACHED",
                Map.of(
                        "limit",
                        "persistence.limits.max-request-bytes: 1048576",
                        "value",
                        "50000",
                        "namespace",
                        "orders"));
        String sentence = Problem.of(Refusals.status(full)).sentence();
        assertTrue(sentence.contains("shard_key = \"user-1\"") && sentence.contains("give idle shards back"), sentence);
    }

    @Test
    void whatMayWorkLaterIsUnavailable() {
        assertProblem(new Refusal.NoExecutors(ORDERS), Code.UNAVAILABLE, "NO_EXECUTORS", Map.of("namespace", "orders"));
        assertProblem(new Refusal.StoreUnavailable("disk full"), Code.UNAVAILABLE, "STORE_UNAVAILABLE", Map.of());
    }

    @Test
    @Tag("R121")
    @Tag("R122")
    void onlyACallThatNeverRanSaysSo() {
        Problem notLeading = Problem.of(Refusals.status(new Refusal.NotLeading("it is stopping")));
        assertEquals(Code.UNAVAILABLE, notLeading.code());
        assertEquals("NOT_LEADER", notLeading.reason());
        assertTrue(notLeading.neverRan());
    }

    @Test
    @Tag("R94")
    @Tag("R124")
    void whoKnowsTheLeaderNamesItInstead() throws InvalidProtocolBufferException {
        StatusRuntimeException status = Refusals.status(
                new Refusal.NotLeading("it waits for its turn", Optional.of(new LeaderAddress("2001:db8::7", 9002))));
        Problem notLeading = Problem.of(status);
        assertEquals(Code.UNAVAILABLE, notLeading.code());
        assertEquals("NOT_LEADER", notLeading.reason());
        assertFalse(notLeading.neverRan(), "NotLeader says it already");
        assertEquals(
                NotLeader.newBuilder()
                        .setLeaderHost("2001:db8::7")
                        .setLeaderPort(9002)
                        .build(),
                StatusProto.fromStatusAndTrailers(status.getStatus(), status.getTrailers())
                        .getDetails(1)
                        .unpack(NotLeader.class));
    }

    @Test
    @Tag("R124")
    void aCallThatMayHaveRunSaysNeither() {
        assertProblem(new Refusal.LeadershipLost("it ended"), Code.UNAVAILABLE, "LEADERSHIP_LOST", Map.of());
    }

    @Test
    void aReplacedStreamIsAborted() {
        assertProblem(new Refusal.Replaced(), Code.ABORTED, "REPLACED", Map.of());
    }

    @Test
    void aBadSettingNamesFieldValueAndRule() {
        assertProblem(
                new Refusal.Invalid("balancer", "magic", "must be one of [naive]"),
                Code.INVALID_ARGUMENT,
                "INVALID_FIELD",
                Map.of("field", "balancer", "value", "magic", "rule", "must be one of [naive]"));
    }

    private static void assertProblem(Refusal refusal, Code code, String reason, Map<String, String> metadata) {
        Problem problem = Problem.of(Refusals.status(refusal));
        assertEquals(code, problem.code());
        assertEquals(reason, problem.reason());
        assertEquals(metadata, problem.metadata());
        assertEquals(false, problem.neverRan(), "only NOT_LEADER is refused before it ran");
        assertTrue(problem.sentence().length() > 20, problem.sentence());
    }
}
