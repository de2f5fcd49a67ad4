package io.shardwright.server.dashboard;

import io.shardwright.control.Answers;
import io.shardwright.control.NamespaceView;
import io.shardwright.domain.ExecutorId;
import io.shardwright.domain.NamespaceName;
import io.shardwright.domain.ShardKey;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Where the figures come from. The futures always complete, with nothing when there is no answer in time. */
interface DashboardSource {

    /** Tells whether this process decides. */
    boolean serving();

    /** The stored state of all namespaces, by name. */
    List<NamespaceView> views();

    /** Every executor of a namespace with its lease. */
    CompletableFuture<List<Answers.ExecutorDetails>> executors(NamespaceName namespace);

    /** The loads that one executor reported. */
    CompletableFuture<List<Answers.ReportedLoad>> loads(NamespaceName namespace, ExecutorId executor);

    /** One shard. */
    CompletableFuture<Optional<Answers.ShardDetails>> shard(NamespaceName namespace, ShardKey key);
}
