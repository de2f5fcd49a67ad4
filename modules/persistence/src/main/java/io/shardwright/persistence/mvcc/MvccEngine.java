package io.shardwright.persistence.mvcc;

import io.shardwright.domain.Outcome;
import io.shardwright.domain.Outcome.Fault;
import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.KeyRange;
import io.shardwright.persistence.KeyValue;
import io.shardwright.persistence.RangeRequest;
import io.shardwright.persistence.RangeResponse;
import io.shardwright.persistence.WatchBatch;
import io.shardwright.persistence.WatchBatch.Event;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Versioned keys with their history, as etcd v3 keeps them: state and steps, nothing else.
 *
 * <p>A write is two steps. {@link TxnPlan} computes what a transaction would do, on a view of this state;
 * {@link #apply} does it. Between the two a journal can persist the change, so that a failed disk changes nothing here.
 * {@link #rollbackTo} takes the newest revisions back, for a journal that persists several at once.
 *
 * <p>Kept: {@code current} (newest version of each key that exists), {@code versions} (every version of each key since
 * the compaction point) and {@code log} (the changes of each revision since the compaction point). A version is shared
 * by the three. Reading the newest state costs O(log n + result), reading the past O(keys in the range), a write O(log
 * n), a compaction O(changes forgotten).
 *
 * <p>Used by one thread at a time. No method iterates in an order that is not defined.
 */
public final class MvccEngine {

    /** First revision of an empty store; etcd starts there too. */
    public static final long FIRST_REVISION = 1;

    private final TreeMap<Bytes, KeyValue> current = new TreeMap<>();
    private final TreeMap<Bytes, ArrayList<Event>> versions = new TreeMap<>();
    private final TreeMap<Long, Commit> log = new TreeMap<>();
    private final TreeMap<Long, TreeSet<Bytes>> attached = new TreeMap<>();
    private long revision = FIRST_REVISION;
    private long compacted;
    private long logBytes;

    /** Returns the newest revision. */
    public long revision() {
        return revision;
    }

    /** Returns the revision up to which history is forgotten; 0: nothing is. */
    public long compacted() {
        return compacted;
    }

    /** Returns the newest version of a key, if it exists. */
    public Optional<KeyValue> get(Bytes key) {
        return Optional.ofNullable(current.get(key));
    }

    /** Returns the keys that hang on a lease, ascending. */
    public List<Bytes> attachedTo(long leaseId) {
        TreeSet<Bytes> keys = attached.get(leaseId);
        return keys == null ? List.of() : List.copyOf(keys);
    }

    /** Returns how many revisions of history are kept. */
    public int retainedRevisions() {
        return log.size();
    }

    /** Returns about how much memory the kept history takes. */
    public long retainedBytes() {
        return logBytes;
    }

    /** Reads keys. */
    public Outcome<RangeResponse> range(RangeRequest request) {
        if (request.range().start().length() == 0) {
            return Outcome.failure(Fault.Kind.INVALID, "range with an empty start key; a key has at least one byte");
        }
        Optional<Fault> fault = checkReadable(request.revision());
        if (fault.isPresent()) {
            return new Outcome.Failure<>(fault.get());
        }
        return Outcome.success(read(request, slice(current, request.range()), revision));
    }

    /** Returns why a revision cannot be read, if it cannot; 0 is the newest. */
    Optional<Fault> checkReadable(long at) {
        if (at > revision) {
            return Optional.of(new Fault(
                    Fault.Kind.OUT_OF_RANGE, "revision " + at + " lies in the future; the newest is " + revision));
        }
        if (at > 0 && at < compacted) {
            return Optional.of(compactedFault(at));
        }
        return Optional.empty();
    }

    /** Reads from the given newest keys, or from history if the request names an older revision. */
    RangeResponse read(RangeRequest request, NavigableMap<Bytes, KeyValue> newest, long asOf) {
        if (request.revision() > 0 && request.revision() < asOf) {
            return collect(request, past(request), asOf);
        }
        return collect(request, newest.values(), asOf);
    }

    /** Returns the newest keys of a range, as a view. */
    NavigableMap<Bytes, KeyValue> newest(KeyRange range) {
        return slice(current, range);
    }

    private static RangeResponse collect(RangeRequest request, Iterable<KeyValue> found, long asOf) {
        List<KeyValue> kvs = new ArrayList<>();
        long count = 0;
        for (KeyValue kv : found) {
            count++;
            if (request.limit() == 0 || count <= request.limit()) {
                kvs.add(request.keysOnly() ? withoutValue(kv) : kv);
            }
        }
        return new RangeResponse(asOf, kvs, count > kvs.size(), count);
    }

    private List<KeyValue> past(RangeRequest request) {
        List<KeyValue> found = new ArrayList<>();
        for (ArrayList<Event> history : slice(versions, request.range()).values()) {
            for (int i = history.size() - 1; i >= 0; i--) {
                Event version = history.get(i);
                if (version.revision() <= request.revision()) {
                    if (version instanceof Event.Put(KeyValue kv)) {
                        found.add(kv);
                    }
                    break;
                }
            }
        }
        return found;
    }

    private static KeyValue withoutValue(KeyValue kv) {
        return new KeyValue(kv.key(), Bytes.EMPTY, kv.createRevision(), kv.modRevision(), kv.version(), kv.leaseId());
    }

    /**
     * Makes the changes of the next revision.
     *
     * @throws IllegalArgumentException if it is not the next revision
     */
    public void apply(Commit commit) {
        if (commit.revision() != revision + 1) {
            throw new IllegalArgumentException(
                    "commit of revision " + commit.revision() + " does not follow revision " + revision);
        }
        restore(commit);
    }

    /**
     * Makes the changes of a later revision; loading a journal, where revisions can be missing because their changes
     * were compacted.
     *
     * @throws IllegalArgumentException if it is not a later revision
     */
    public void restore(Commit commit) {
        if (commit.revision() <= revision) {
            throw new IllegalArgumentException(
                    "commit of revision " + commit.revision() + " is not newer than revision " + revision);
        }
        revision = commit.revision();
        log.put(revision, commit);
        logBytes += commit.bytes();
        for (Event event : commit.events()) {
            versions.computeIfAbsent(event.key(), key -> new ArrayList<>(1)).add(event);
            setCurrent(event.key(), event);
        }
    }

    /** Ends the loading of a journal: sets the counters that its newest record states. */
    public void restored(long newestRevision, long compactedRevision) {
        if (newestRevision < revision || compactedRevision > newestRevision) {
            throw new IllegalArgumentException("newest revision " + newestRevision + " and compacted revision "
                    + compactedRevision + " do not fit changes up to revision " + revision);
        }
        revision = newestRevision;
        compacted = compactedRevision;
        forgetLog(compactedRevision);
    }

    /** Takes back every revision after {@code target}. Only revisions that were not compacted can be taken back. */
    public void rollbackTo(long target) {
        if (target < compacted || target > revision) {
            throw new IllegalArgumentException(
                    "cannot go back to revision " + target + ": compacted " + compacted + ", newest " + revision);
        }
        while (!log.isEmpty() && log.lastKey() > target) {
            Commit undone = log.pollLastEntry().getValue();
            logBytes -= undone.bytes();
            for (Event event : undone.events()) {
                ArrayList<Event> history =
                        Objects.requireNonNull(versions.get(event.key()), "a change in the log has a version");
                history.removeLast();
                if (history.isEmpty()) {
                    versions.remove(event.key());
                    setCurrent(event.key(), new Event.Delete(event.key(), target));
                } else {
                    setCurrent(event.key(), history.getLast());
                }
            }
        }
        revision = target;
    }

    private void setCurrent(Bytes key, Event newest) {
        KeyValue old;
        if (newest instanceof Event.Put(KeyValue kv)) {
            old = current.put(key, kv);
            if (kv.leaseId() != 0) {
                attached.computeIfAbsent(kv.leaseId(), id -> new TreeSet<>()).add(key);
            }
            if (old != null && old.leaseId() != kv.leaseId()) {
                detach(old);
            }
        } else {
            old = current.remove(key);
            if (old != null) {
                detach(old);
            }
        }
    }

    private void detach(KeyValue old) {
        TreeSet<Bytes> keys = attached.get(old.leaseId());
        if (keys != null) {
            keys.remove(old.key());
            if (keys.isEmpty()) {
                attached.remove(old.leaseId());
            }
        }
    }

    /** Returns why history cannot be forgotten up to a revision, if it cannot. */
    public Optional<Fault> checkCompactable(long target) {
        if (target > revision) {
            return Optional.of(new Fault(
                    Fault.Kind.OUT_OF_RANGE,
                    "cannot compact revision " + target + ": it lies in the future; the newest is " + revision));
        }
        if (target <= compacted) {
            return Optional.of(compactedFault(target));
        }
        return Optional.empty();
    }

    /**
     * Returns the versions that only reads and watches of revisions before {@code target} need, in the order of their
     * revisions. They can be forgotten if {@link #checkCompactable} finds no fault.
     */
    public List<Event> forgettable(long target) {
        List<Event> forgettable = new ArrayList<>();
        TreeSet<Bytes> seen = new TreeSet<>();
        for (Commit commit : log.headMap(target, true).values()) {
            for (Event event : commit.events()) {
                if (seen.add(event.key())) {
                    forgettable.addAll(replaced(event.key(), target));
                }
            }
        }
        forgettable.sort(Comparator.comparingLong(Event::revision));
        return forgettable;
    }

    /** Forgets what {@link #forgettable} returns. */
    public void compact(long target) {
        checkCompactable(target).ifPresent(fault -> {
            throw new IllegalArgumentException(fault.message());
        });
        compacted = target;
        for (Commit commit : log.headMap(target, true).values()) {
            for (Event event : commit.events()) {
                replaced(event.key(), target).clear();
                versions.computeIfPresent(event.key(), (key, history) -> history.isEmpty() ? null : history);
            }
        }
        forgetLog(target);
    }

    /** Forgets the changes before a revision; its own stay, because a watch may start there. */
    private void forgetLog(long target) {
        NavigableMap<Long, Commit> old = log.headMap(target, false);
        for (Commit commit : old.values()) {
            logBytes -= commit.bytes();
        }
        old.clear();
    }

    /**
     * Returns the versions of a key that were replaced at or before {@code target}, and a delete before it, as a view.
     */
    private List<Event> replaced(Bytes key, long target) {
        ArrayList<Event> history = versions.get(key);
        if (history == null) {
            return new ArrayList<>();
        }
        int keep = 0;
        while (keep + 1 < history.size() && history.get(keep + 1).revision() <= target) {
            keep++;
        }
        if (history.get(keep) instanceof Event.Delete delete && delete.revision() < target) {
            keep++;
        }
        return history.subList(0, keep);
    }

    /**
     * Returns the revision up to which to compact so that at most so many revisions and bytes of history stay; 0: none
     * is due.
     */
    public long compactionTarget(int maxRevisions, long maxBytes) {
        long target = 0;
        int revisions = log.size();
        long bytes = logBytes;
        for (Commit commit : log.values()) {
            if (revisions <= maxRevisions && bytes <= maxBytes) {
                break;
            }
            target = commit.revision();
            revisions--;
            bytes -= commit.bytes();
        }
        return target > compacted ? target : 0;
    }

    /**
     * Returns the changes of a range from a revision on.
     *
     * @param maxRevisions look at no more than so many revisions
     * @return a batch whose revision is the newest one looked at, and may hold no event; {@code OUT_OF_RANGE} unless
     *     {@code from} is newer than the compaction point
     */
    public Outcome<WatchBatch> changes(KeyRange range, long from, int maxRevisions) {
        if (from <= compacted) {
            return new Outcome.Failure<>(compactedFault(from));
        }
        List<Event> events = new ArrayList<>();
        int revisions = 0;
        for (Commit commit : log.tailMap(from, true).values()) {
            for (Event event : commit.events()) {
                if (range.contains(event.key())) {
                    events.add(event);
                }
            }
            if (++revisions == maxRevisions) {
                return Outcome.success(new WatchBatch(commit.revision(), events));
            }
        }
        return Outcome.success(new WatchBatch(revision, events));
    }

    private Fault compactedFault(long asked) {
        return new Fault(
                Fault.Kind.OUT_OF_RANGE,
                "revision " + asked + " is compacted (up to " + compacted + "); read everything again");
    }

    /** Returns the part of a sorted map that a range covers, as a view. */
    static <V> NavigableMap<Bytes, V> slice(NavigableMap<Bytes, V> map, KeyRange range) {
        if (range.isSingle()) {
            return map.subMap(range.start(), true, range.start(), true);
        }
        if (range.isOpen()) {
            return map.tailMap(range.start(), true);
        }
        if (range.start().compareTo(range.end()) >= 0) {
            return new TreeMap<>();
        }
        return map.subMap(range.start(), true, range.end(), false);
    }
}
