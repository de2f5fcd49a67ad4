package io.shardwright.client;

import io.grpc.Status;
import io.shardwright.client.grpc.CallError;
import io.shardwright.client.grpc.Connection;
import io.shardwright.client.lease.Backoff;
import io.shardwright.client.routing.Executor;
import io.shardwright.client.routing.Route;
import io.shardwright.domain.RandomSource;
import io.shardwright.domain.Scheduler;
import io.shardwright.proto.v1.GetShardOwnerRequest;
import io.shardwright.proto.v1.GetShardOwnerResponse;
import io.shardwright.proto.v1.SpectatorServiceGrpc;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Asks the shard manager for owners, one call per shard at a time however many ask.
 *
 * <p>A call that finds servers, but nobody in charge, keeps asking for 15 s from its start, which covers one leader
 * lease and a start-up (R111), or for as long as the client was told to be patient where that is longer (R112). Where
 * no server is reached at all there is no failover to wait for, and only the patience decides (R114).
 */
final class OwnerCalls {

    /** How long a call goes on while servers answer and nobody leads. */
    static final Duration FAILOVER = Duration.ofSeconds(15);

    private static final Duration ONE_CALL = Duration.ofSeconds(5);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    private final String namespace;
    private final Connection connection;
    private final Scheduler loop;
    private final RandomSource random;
    private final Duration failover;
    private final Duration patience;
    private final ConcurrentHashMap<String, CompletableFuture<Optional<Route>>> asking = new ConcurrentHashMap<>();

    /** One question and how it is going; on the event loop only. */
    private static final class Question {
        private final GetShardOwnerRequest request;
        private final CompletableFuture<Optional<Route>> answer;
        private final Backoff backoff;
        private final long begin = System.nanoTime();
        private boolean reached;

        Question(GetShardOwnerRequest request, CompletableFuture<Optional<Route>> answer, Backoff backoff) {
            this.request = request;
            this.answer = answer;
            this.backoff = backoff;
        }
    }

    /**
     * @param failover how long a call goes on while servers answer and nobody leads
     * @param patience how long it goes on whatever happens
     */
    OwnerCalls(
            String namespace,
            Connection connection,
            Scheduler loop,
            RandomSource random,
            Duration failover,
            Duration patience) {
        this.namespace = namespace;
        this.connection = connection;
        this.loop = loop;
        this.random = random;
        this.failover = failover.compareTo(patience) > 0 ? failover : patience;
        this.patience = patience;
    }

    CompletableFuture<Optional<Route>> ask(String shardKey) {
        CompletableFuture<Optional<Route>> mine = new CompletableFuture<>();
        @Nullable CompletableFuture<Optional<Route>> others = asking.putIfAbsent(shardKey, mine);
        if (others != null) {
            return others.copy();
        }
        GetShardOwnerRequest request = GetShardOwnerRequest.newBuilder()
                .setNamespace(namespace)
                .setShardKey(shardKey)
                .build();
        Question question = new Question(request, mine, new Backoff(random, FIRST_PAUSE, LONGEST_PAUSE));
        loop.execute(() -> attempt(question));
        return mine.copy();
    }

    private long nanosLeft(Question question) {
        return question.begin + (question.reached ? failover : patience).toNanos() - System.nanoTime();
    }

    private void attempt(Question question) {
        Duration deadline = Duration.ofNanos(Math.clamp(nanosLeft(question), 1, ONE_CALL.toNanos()));
        connection.call(SpectatorServiceGrpc.getGetShardOwnerMethod(), question.request, deadline, result -> {
            switch (result) {
                case Connection.Result.Answer<GetShardOwnerResponse> found -> {
                    asking.remove(question.request.getShardKey());
                    question.answer.complete(route(question.request.getShardKey(), found.value()));
                }
                case Connection.Result.Failed<GetShardOwnerResponse> failed -> failed(question, failed);
            }
        });
    }

    private void failed(Question question, Connection.Result.Failed<GetShardOwnerResponse> failed) {
        question.reached |= failed.reached();
        Duration pause = question.backoff.next();
        if (mayPass(failed.error()) && nanosLeft(question) > pause.toNanos()) {
            Scheduler.Timer unused = loop.schedule(pause, () -> attempt(question));
        } else {
            asking.remove(question.request.getShardKey());
            question.answer.completeExceptionally(new ShardwrightException(failed.error()));
        }
    }

    /**
     * No executors: the caller should hear of it, a new one may take long. Everything else that is unavailable may
     * pass.
     */
    private static boolean mayPass(CallError error) {
        return (error.code() == Status.Code.UNAVAILABLE || error.code() == Status.Code.DEADLINE_EXCEEDED)
                && !error.reason().equals("NO_EXECUTORS");
    }

    private static Optional<Route> route(String shardKey, GetShardOwnerResponse response) {
        return response.hasOwner()
                ? Optional.of(new Route(shardKey, response.getEpoch(), Executor.of(response.getOwner())))
                : Optional.empty();
    }

    /** Fails everything that still waits. */
    void close() {
        asking.forEach((key, answer) ->
                answer.completeExceptionally(new IllegalStateException("spectator client is closed: " + key)));
    }
}
