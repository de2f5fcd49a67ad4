package io.shardwright.sim.check;

import io.shardwright.persistence.Txn;
import java.util.TreeMap;

/** S7. The leader of a revision is the process whose election entry was the oldest one before it. */
final class OneLeader implements Invariant {

    private record Entry(long created, String writer) {}

    private final TreeMap<String, Entry> entries = new TreeMap<>();
    private final TreeMap<Long, String> leaders = new TreeMap<>();
    private long stateRevision;

    @Override
    public String id() {
        return "S7";
    }

    @Override
    public String statement() {
        return "only the replica with the oldest election entry stores state";
    }

    @Override
    public void stored(Stored change, World world) {
        switch (change) {
            case Stored.ElectionChanged election -> {
                if (election.entry().isEmpty()) {
                    entries.remove(election.key());
                } else {
                    entries.putIfAbsent(election.key(), new Entry(election.revision(), writerOf(election.entry())));
                }
                leaders.put(
                        election.revision(),
                        entries.values().stream()
                                .min((a, b) -> Long.compare(a.created(), b.created()))
                                .map(Entry::writer)
                                .orElse("nobody"));
                while (leaders.size() > 100) {
                    leaders.pollFirstEntry();
                }
            }
            case Stored.ShardChanged shard -> stateRevision = shard.revision();
            case Stored.SegmentWritten segment -> stateRevision = segment.revision();
            case Stored.DrainChanged drain -> stateRevision = drain.revision();
            case Stored.ExecutorChanged executor -> stateRevision = executor.revision();
        }
    }

    /** The identity in an entry of the simulator's replicas is {@code machine/start}. */
    private static String writerOf(String entry) {
        String mark = "\"identity\":\"";
        int begin = entry.indexOf(mark) + mark.length();
        return entry.substring(begin, entry.indexOf('"', begin));
    }

    @Override
    public void wrote(String writer, Txn txn, long revision, World world) {
        if (revision != stateRevision) {
            return; // it stored no state, or another write followed at the same moment
        }
        var leader = leaders.lowerEntry(revision);
        if (leader != null && !leader.getValue().equals(writer)) {
            world.violated(
                    this, writer + " stored state in revision " + revision + " while " + leader.getValue() + " led");
        }
    }
}
