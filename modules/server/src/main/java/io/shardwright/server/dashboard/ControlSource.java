package io.shardwright.server.dashboard;

import io.shardwright.control.Answers;
import io.shardwright.control.Call;
import io.shardwright.control.ControlPlane;
import io.shardwright.control.NamespaceView;
import io.shardwright.control.Reply;
import io.shardwright.domain.ExecutorId;
import io.shardwright.domain.NamespaceName;
import io.shardwright.domain.ShardKey;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/** The control plane as the source of the dashboard. */
record ControlSource(ControlPlane control) implements DashboardSource {

    private static final long WAIT_MILLIS = 1000;

    @Override
    public boolean serving() {
        return control.serving();
    }

    @Override
    public List<NamespaceView> views() {
        return control.views();
    }

    @Override
    public CompletableFuture<List<Answers.ExecutorDetails>> executors(NamespaceName namespace) {
        return ask(call -> control.listExecutors(namespace, call), Answers.Executors::executors, List.of());
    }

    @Override
    public CompletableFuture<List<Answers.ReportedLoad>> loads(NamespaceName namespace, ExecutorId executor) {
        return ask(call -> control.reportedLoads(namespace, executor, call), Answers.ReportedLoads::loads, List.of());
    }

    @Override
    public CompletableFuture<Optional<Answers.ShardDetails>> shard(NamespaceName namespace, ShardKey key) {
        return ControlSource.<Answers.ShardDetails, Optional<Answers.ShardDetails>>ask(
                call -> control.inspectShard(namespace, key, call), Optional::of, Optional.empty());
    }

    private static <A, R> CompletableFuture<R> ask(Consumer<Call<A>> question, Function<A, R> take, R nothing) {
        CompletableFuture<R> answer = new CompletableFuture<>();
        question.accept(reply -> {
            switch (reply) {
                case Reply.Ok<A>(var value) -> answer.complete(take.apply(value));
                case Reply.Refused<A> refused -> answer.complete(nothing);
            }
        });
        return answer.completeOnTimeout(nothing, WAIT_MILLIS, TimeUnit.MILLISECONDS);
    }
}
