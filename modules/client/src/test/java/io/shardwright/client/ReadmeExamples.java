package io.shardwright.client;

import io.shardwright.client.lease.ShardStop;
import java.time.Duration;

/** The code of the README, compiled. {@link ReadmeExamplesTest} holds the two equal. */
final class ReadmeExamples {

    private ReadmeExamples() {}

    static final class Counter implements ShardProcessor {
        @Override
        public void start(ShardContext shard) {}

        @Override
        public void stop(ShardStop reason) {}
    }

    static void executor() throws InterruptedException {
        // README executor begin
        try (ExecutorClient executor = ExecutorClient.builder()
                .target("localhost:9002")
                .namespace("orders")
                .executorId("orders-1")
                .address("10.0.0.7:7000")
                .processors(shardKey -> new Counter())
                .start()) {
            executor.awaitRegistered(Duration.ofSeconds(30));
            // For each request: who asks for shard "7" is served here only while the shard is ours.
            executor.processor("7")
                    .ifPresentOrElse(
                            processor -> System.out.println("shard 7 is served here"),
                            () -> System.out.println("shard 7 is elsewhere"));
        } // close() hands all shards over before it returns
        // README executor end
    }

    static void spectator() throws InterruptedException {
        // README spectator begin
        try (SpectatorClient spectator = SpectatorClient.builder()
                .target("localhost:9002")
                .namespace("orders")
                .start()) {
            spectator.awaitReady(Duration.ofSeconds(30));
            spectator
                    .ownerOf("7")
                    .ifPresent(route -> System.out.println(
                            "shard 7 is at " + route.executor().address()));
            // Asks the shard manager where the local table names no owner.
            spectator
                    .findOwner("8")
                    .thenAccept(owner -> System.out.println("shard 8: " + owner))
                    .join();
        }
        // README spectator end
    }
}
