package io.shardwright.rpc.service;

import io.shardwright.proto.v1.RoutingDelta;
import io.shardwright.proto.v1.RoutingEvent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The recent changes of one routing table, as an unbroken chain of deltas. Bounded: what is too old is forgotten, and a
 * reader that asks for it needs the whole table. Not thread-safe.
 */
final class RoutingHistory {

    /** Merged events that are kept for other readers at the same revision. */
    private static final int MAX_KEPT_MERGES = 8;

    private final String incarnation;
    private final Limits limits;
    private final ArrayDeque<Change> changes = new ArrayDeque<>();
    private final TreeMap<Long, RoutingEvent> merges = new TreeMap<>();
    private int entries;
    private long revision;

    private record Change(long to, RoutingDelta delta) {}

    /**
     * How much is remembered.
     *
     * @param changes most deltas
     * @param entries most routes and executors in all of them; a route is about 100 bytes
     * @param merged about how many of these go into one message
     */
    record Limits(int changes, int entries, int merged) {

        /** At most some 10 MB a namespace, and messages below 2 MiB. */
        static final Limits DEFAULT = new Limits(4096, 100_000, 20_000);
    }

    RoutingHistory(String incarnation, Limits limits, long revision) {
        this.incarnation = incarnation;
        this.limits = limits;
        this.revision = revision;
    }

    /** Returns the revision that the newest change leads to. */
    long revision() {
        return revision;
    }

    /** Adds a change from {@link #revision} to a newer one. */
    void add(RoutingDelta delta, long to) {
        revision = to;
        changes.addLast(new Change(to, delta));
        entries += RoutingChanges.entries(delta);
        merges.clear();
        while (changes.size() > limits.changes() || entries > limits.entries()) {
            entries -= RoutingChanges.entries(changes.removeFirst().delta());
        }
    }

    /**
     * Returns the next event for a reader that has everything up to {@code known}, or empty when that is forgotten.
     * {@code known} must not be the newest revision.
     */
    Optional<RoutingEvent> after(long known) {
        RoutingEvent kept = merges.get(known);
        if (kept != null) {
            return Optional.of(kept);
        }
        List<Change> run = run(known);
        if (run.isEmpty()) {
            return Optional.empty();
        }
        RoutingDelta delta = run.size() == 1
                ? run.get(0).delta()
                : RoutingChanges.merged(run.stream().map(Change::delta).toList());
        RoutingEvent event = RoutingEvent.newBuilder()
                .setIncarnation(incarnation)
                .setRevision(run.get(run.size() - 1).to())
                .setDelta(delta)
                .build();
        if (merges.size() < MAX_KEPT_MERGES) {
            merges.put(known, event);
        }
        return Optional.of(event);
    }

    /** The changes from a revision on, as many as fit one message. */
    private List<Change> run(long known) {
        ArrayList<Change> newestFirst = new ArrayList<>();
        Iterator<Change> backwards = changes.descendingIterator();
        while (backwards.hasNext()) {
            Change change = backwards.next();
            if (change.to() <= known) {
                return List.of(); // between two revisions: never told to anybody
            }
            newestFirst.add(change);
            if (change.delta().getFromRevision() == known) {
                return oldestThatFit(newestFirst);
            }
        }
        return List.of();
    }

    private List<Change> oldestThatFit(List<Change> newestFirst) {
        List<Change> run = new ArrayList<>();
        int size = 0;
        for (int i = newestFirst.size() - 1; i >= 0; i--) {
            Change change = newestFirst.get(i);
            size += RoutingChanges.entries(change.delta());
            if (!run.isEmpty() && size > limits.merged()) {
                break;
            }
            run.add(change);
        }
        return run;
    }
}
