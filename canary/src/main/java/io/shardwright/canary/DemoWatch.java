package io.shardwright.canary;

import io.shardwright.canary.ping.Findings;
import io.shardwright.client.SpectatorClient;
import io.shardwright.client.routing.Route;
import io.shardwright.proto.v1.ExecutorDetails;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What a demo sees of its cluster. Thread-safe. */
final class DemoWatch {

    private final int shards;
    private final AdminCalls admin;
    private final SpectatorClient spectator;
    private final Findings findings;
    private final Fleet fleet;

    DemoWatch(int shards, AdminCalls admin, SpectatorClient spectator, Findings findings, Fleet fleet) {
        this.shards = shards;
        this.admin = admin;
        this.spectator = spectator;
        this.findings = findings;
        this.fleet = fleet;
    }

    /** Returns the number of shards that an executor has. */
    int countOf(String id) {
        return (int) spectator.table().routes().values().stream()
                .filter(route -> route.executor().id().equals(id))
                .count();
    }

    /**
     * Returns a number that changes with each move, if these executors alone own all shards, each of them some, and
     * every one that was asked answered; empty otherwise.
     */
    OptionalLong settled(List<String> ids) {
        Map<String, Route> routes = spectator.table().routes();
        Set<String> owners =
                routes.values().stream().map(route -> route.executor().id()).collect(Collectors.toSet());
        boolean settled = routes.size() == shards
                && ids.containsAll(owners)
                && owners.size() == Math.min(shards, ids.size())
                && findings.unserved().isEmpty();
        return settled
                ? OptionalLong.of(
                        routes.values().stream().mapToLong(Route::epoch).sum())
                : OptionalLong.empty();
    }

    DemoTable table(Duration since) {
        Map<String, Double> loads = new TreeMap<>();
        for (ExecutorDetails executor : admin.executors(Demo.NAMESPACE)) {
            loads.put(executor.getInfo().getExecutorId(), executor.getLoad());
        }
        Map<String, Route> routes = spectator.table().routes();
        TreeSet<String> ids = new TreeSet<>(spectator.table().executors().keySet());
        ids.addAll(fleet.ids());
        routes.values().forEach(route -> ids.add(route.executor().id()));
        List<DemoTable.Row> rows = new ArrayList<>();
        for (String id : ids) {
            List<Long> epochs = routes.values().stream()
                    .filter(route -> route.executor().id().equals(id))
                    .map(Route::epoch)
                    .sorted()
                    .toList();
            rows.add(new DemoTable.Row(
                    id,
                    fleet.pid(id),
                    epochs.size(),
                    loads.getOrDefault(id, 0.0),
                    epochs.isEmpty() ? 0 : epochs.getFirst(),
                    epochs.isEmpty() ? 0 : epochs.getLast()));
        }
        return new DemoTable(
                since, shards, rows, shards - routes.size(), findings.unserved().size(), findings.counts());
    }
}
