package io.shardwright.sim.kernel;

import java.util.Arrays;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What is due, by time and then by an order of its own: a binary heap whose entries know their place.
 *
 * <p>Adding, taking and removing cost O(log n) and allocate nothing. The queues of a run are its hottest path, and a
 * tree or a heap of boxed comparisons costs a multiple there.
 */
final class TimeQueue<E extends TimeQueue.Entry> {

    /** Something that is due; in one queue at most. */
    abstract static class Entry {
        final long due;
        final long order;
        int place = -1; // where it is in the heap; -1: nowhere

        Entry(long due, long order) {
            this.due = due;
            this.order = order;
        }

        private boolean before(Entry other) {
            return due != other.due ? due < other.due : order < other.order;
        }
    }

    private @Nullable Entry[] heap = new Entry[16];
    private int size;

    int size() {
        return size;
    }

    /** Returns how many entries are of a kind. Costs O(n). */
    int count(Predicate<E> kind) {
        int found = 0;
        for (int i = 0; i < size; i++) {
            E entry = at(i);
            if (entry != null && kind.test(entry)) {
                found++;
            }
        }
        return found;
    }

    /** Returns the first entry; null: there is none. */
    @Nullable
    E first() {
        return at(0);
    }

    void add(E entry) {
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, 2 * size);
        }
        up(size++, entry);
    }

    /** Removes an entry, if it is here. */
    void remove(E entry) {
        int place = entry.place;
        if (place < 0) {
            return;
        }
        entry.place = -1;
        Entry last = heap[--size];
        heap[size] = null;
        if (last != null && place < size) {
            up(place, last);
            if (last.place == place) {
                down(place, last);
            }
        }
    }

    void clear() {
        for (int i = 0; i < size; i++) {
            Entry entry = heap[i];
            if (entry != null) {
                entry.place = -1;
                heap[i] = null;
            }
        }
        size = 0;
    }

    @SuppressWarnings("unchecked") // only add() puts something in
    private @Nullable E at(int place) {
        return (E) heap[place];
    }

    private void up(int from, Entry entry) {
        int place = from;
        while (place > 0) {
            int parent = (place - 1) >>> 1;
            Entry above = heap[parent];
            if (above == null || !entry.before(above)) {
                break;
            }
            put(place, above);
            place = parent;
        }
        put(place, entry);
    }

    private void down(int from, Entry entry) {
        int place = from;
        while (true) {
            int child = 2 * place + 1;
            if (child >= size) {
                break;
            }
            Entry below = heap[child];
            Entry right = child + 1 < size ? heap[child + 1] : null;
            if (right != null && below != null && right.before(below)) {
                below = right;
                child++;
            }
            if (below == null || !below.before(entry)) {
                break;
            }
            put(place, below);
            place = child;
        }
        put(place, entry);
    }

    private void put(int place, Entry entry) {
        heap[place] = entry;
        entry.place = place;
    }
}
