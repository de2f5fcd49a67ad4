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
 * <p>A call that finds nobody in charge keeps asking for 15 s from its start (R111): that covers one leader lease and a
 * start-up.
 */
final class OwnerCalls {

    static final Duration BUDGET = Duration.ofSeconds(15);
    private static final Duration ONE_CALL = Duration.ofSeconds(5);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    private final String namespace;
    private final Connection connection;
    private final Scheduler loop;
    private final RandomSource random;
    private final ConcurrentHashMap<String, CompletableFuture<Optional<Route>>> asking = new ConcurrentHashMap<>();

    OwnerCalls(String namespace, Connection connection, Scheduler loop, RandomSource random) {
        this.namespace = namespace;
        this.connection = connection;
        this.loop = loop;
        this.random = random;
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
        long end = System.nanoTime() + BUDGET.toNanos();
        loop.execute(() -> attempt(request, new Backoff(random, FIRST_PAUSE, LONGEST_PAUSE), end, mine));
        return mine.copy();
    }

    private void attempt(
            GetShardOwnerRequest request, Backoff backoff, long end, CompletableFuture<Optional<Route>> answer) {
        long left = end - System.nanoTime();
        Duration deadline = Duration.ofNanos(Math.clamp(left, 1, ONE_CALL.toNanos()));
        connection.call(SpectatorServiceGrpc.getGetShardOwnerMethod(), request, deadline, result -> {
            switch (result) {
                case Connection.Result.Answer<GetShardOwnerResponse> found -> {
                    asking.remove(request.getShardKey());
                    answer.complete(route(request.getShardKey(), found.value()));
                }
                case Connection.Result.Failed<GetShardOwnerResponse> failed -> {
                    Duration pause = backoff.next();
                    if (mayPass(failed.error()) && end - System.nanoTime() > pause.toNanos()) {
                        Scheduler.Timer unused = loop.schedule(pause, () -> attempt(request, backoff, end, answer));
                    } else {
                        asking.remove(request.getShardKey());
                        answer.completeExceptionally(new ShardwrightException(failed.error()));
                    }
                }
            }
        });
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
