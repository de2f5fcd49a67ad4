package io.shardwright.sim.cluster;

import io.shardwright.proto.v1.RenewRequest;
import io.shardwright.sim.check.Stored;
import io.shardwright.sim.network.Wire;
import java.time.Duration;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Notices what a batch of seeds must have seen now and then (A5, coverage facts), from the simulator's own knowledge.
 */
final class Sightings {

    /** So long a leader that was replaced counts as one that may not know it. */
    private static final Duration FORMER = Duration.ofSeconds(2);

    private final Simulation sim;
    private final TreeMap<String, Candidate> candidates = new TreeMap<>(); // by election key
    private final TreeMap<String, Long> moved = new TreeMap<>(); // shard to the time of its latest change of owner
    private String leader = "";
    private String formerLeader = "";
    private long leaderSince;
    private String leaderVersion = "";

    private record Candidate(long created, String machine, String version) {}

    Sightings(Simulation sim) {
        this.sim = sim;
    }

    private void saw(String fact) {
        sim.facts().count(fact);
    }

    void stored(Stored change) {
        switch (change) {
            case Stored.ElectionChanged election -> electionChanged(election);
            case Stored.ShardChanged shard -> shardChanged(shard);
            case Stored.DrainChanged drain -> saw(drain.drained() ? "drain stored" : "undrain stored");
            case Stored.SegmentWritten segment -> {}
            case Stored.ExecutorChanged executor -> {}
        }
    }

    private void electionChanged(Stored.ElectionChanged change) {
        if (change.entry().isEmpty()) {
            candidates.remove(change.key());
        } else {
            String identity = field(change.entry(), "identity");
            candidates.putIfAbsent(
                    change.key(),
                    new Candidate(
                            change.revision(),
                            identity.substring(0, identity.indexOf('/')),
                            field(change.entry(), "version")));
        }
        Optional<Candidate> first =
                candidates.values().stream().min((one, other) -> Long.compare(one.created(), other.created()));
        String now = first.map(Candidate::machine).orElse("");
        if (!now.equals(leader) && first.isPresent()) {
            saw("leader changed");
            if (!sim.ledger().drains().isEmpty()) {
                saw("leader changed while something was drained");
            }
            String version = first.get().version();
            if (!version.equals(leaderVersion) && !leaderVersion.isEmpty()) {
                saw("leader of another version took over");
            }
            leaderVersion = version;
        }
        if (!now.equals(leader)) {
            formerLeader = leader.isEmpty() ? formerLeader : leader;
            leaderSince = sim.kernel().now();
        }
        leader = now;
    }

    private static String field(String entry, String name) {
        String mark = "\"" + name + "\":\"";
        int begin = entry.indexOf(mark) + mark.length();
        return entry.substring(begin, entry.indexOf('"', begin));
    }

    private void shardChanged(Stored.ShardChanged change) {
        String name = change.namespace() + "/" + change.key();
        String before = change.before().map(Stored.Ownership::owner).orElse("");
        String after = change.after().map(Stored.Ownership::owner).orElse("");
        if (change.before().isEmpty() && change.namespace().equals(Simulation.EPHEMERAL)) {
            saw("ephemeral shard created");
        }
        if (change.after().isEmpty()) {
            saw("ephemeral shard forgotten");
        }
        if (!before.isEmpty() && !after.equals(before)) {
            if (sim.ledger().shardDrained(change.namespace(), change.key())) {
                saw("drained shard let go");
            }
            if (sim.ledger().onDrainedHost(change.namespace(), before)) {
                saw("shard left a drained host");
            }
        }
        if (after.isEmpty() || after.equals(before)) {
            return;
        }
        saw("shard moved");
        long now = sim.kernel().now();
        Long last = moved.put(name, now);
        if (last != null && now - last < sim.plan().shape().lease().toNanos()) {
            saw("shard moved twice within a lease");
        }
        boolean released = change.before().filter(Stored.Ownership::releasing).isPresent();
        if (released && !lives(before)) {
            saw("owner died while it released a shard");
        }
    }

    private boolean lives(String executorId) {
        return sim.executorHosts().stream()
                .anyMatch(host ->
                        host.executorId().equals(executorId) && host.process().isPresent());
    }

    void delivered(Wire.Packet packet) {
        if (packet.content() instanceof RenewRequest
                && !leader.isEmpty()
                && !packet.to().equals(leader)
                && packet.to().equals(formerLeader)
                && sim.kernel().now() - leaderSince < FORMER.toNanos()) {
            saw("renewal reached a former leader");
        }
    }

    void paused(Machine machine, long nanos) {
        if (machine instanceof ExecutorHost executor
                && nanos > sim.plan().shape().lease().toNanos()
                && executor.application()
                        .filter(application -> !application.running().isEmpty())
                        .isPresent()) {
            saw("pause longer than a lease, with shards");
        }
    }

    /** etcd loses its leader. */
    void etcdLeaderLost() {
        if (!candidates.isEmpty() && sim.replicas().stream().noneMatch(Replica::serving)) {
            saw("etcd leader lost during a campaign");
        }
    }
}
