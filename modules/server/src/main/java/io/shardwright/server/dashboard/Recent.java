package io.shardwright.server.dashboard;

import io.shardwright.control.ControlEvent;
import io.shardwright.domain.Clock;
import io.shardwright.domain.Shard;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The last things that happened. The only part of the dashboard that runs on the event loop of the control plane: it
 * takes a reference and lets an old one go. Thread-safe.
 */
final class Recent {

    /** Events, and as many moves, that are remembered. */
    static final int KEPT = 200;

    private static final int MAX_TEXT = 500;

    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Note> notes = new ArrayDeque<>();
    private final ArrayDeque<Move> moves = new ArrayDeque<>();
    private long sequence;
    private long moveCount;

    Recent(Clock clock) {
        this.clock = clock;
    }

    /** Something other than a move. */
    record Note(long sequence, Instant time, String namespace, boolean warning, String text) {}

    /** A shard got another owner, or lost its owner. */
    record Move(long sequence, Instant time, String namespace, Optional<Shard> before, Shard after, String reason) {}

    /**
     * What happened after a moment.
     *
     * @param sequence the moment up to which this tells
     * @param moveCount moves since the start of this process, also those that are forgotten
     */
    record Part(long sequence, long moveCount, List<Note> notes, List<Move> moves) {}

    /** Remembers an event. */
    void add(ControlEvent event) {
        String namespace = event.namespace().value();
        switch (event) {
            case ControlEvent.ShardChanged(var name, Optional<Shard> before, Shard after, String reason) -> {
                if (!before.flatMap(Shard::owner).equals(after.owner())) {
                    addMove(namespace, before, after, reason);
                }
            }
            case ControlEvent.ShardForgotten forgotten -> {} // an idle shard goes every moment; the cells show it
            case ControlEvent.NamespaceCreated(var settings) ->
                add(namespace, false, "namespace created: " + settings.kind());
            case ControlEvent.NamespaceDeleted deleted -> add(namespace, false, "namespace deleted");
            case ControlEvent.ExecutorRegistered(var name, var executor, boolean again) ->
                add(namespace, false, "executor " + executor.id() + " registered" + (again ? " again" : ""));
            case ControlEvent.ExecutorLeaving(var name, var id) ->
                add(namespace, false, "executor " + id + " is leaving and hands its shards over");
            case ControlEvent.ExecutorGone(var name, var id, boolean lost) ->
                add(namespace, lost, "executor " + id + (lost ? " lost: its lease ended" : " left"));
            case ControlEvent.Drained drained ->
                drained.sentences().forEach(sentence -> add(namespace, false, sentence));
            case ControlEvent.LossHeldBack(var name, int executors, String reason) ->
                add(namespace, true, executors + " silent executors are not taken for lost yet: " + reason);
            case ControlEvent.StoreTrouble(var name, String message) -> add(namespace, true, message);
            case ControlEvent.ForeignState foreign -> add(namespace, true, ControlEvent.ForeignState.MESSAGE);
        }
    }

    /** Remembers something. */
    void add(String namespace, boolean warning, String text) {
        String shown = text.length() > MAX_TEXT ? text.substring(0, MAX_TEXT) + "…" : text;
        lock.lock();
        try {
            notes.addLast(new Note(++sequence, clock.wallTime(), namespace, warning, shown));
            if (notes.size() > KEPT) {
                notes.removeFirst();
            }
        } finally {
            lock.unlock();
        }
    }

    private void addMove(String namespace, Optional<Shard> before, Shard after, String reason) {
        lock.lock();
        try {
            moveCount++;
            moves.addLast(new Move(++sequence, clock.wallTime(), namespace, before, after, reason));
            if (moves.size() > KEPT) {
                moves.removeFirst();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns what is remembered from after {@code after}, oldest first; 0: everything. */
    Part since(long after) {
        lock.lock();
        try {
            return new Part(
                    sequence,
                    moveCount,
                    notes.stream().filter(note -> note.sequence() > after).toList(),
                    moves.stream().filter(move -> move.sequence() > after).toList());
        } finally {
            lock.unlock();
        }
    }
}
