package io.shardwright.persistence.differential;

import io.shardwright.domain.Outcome.Fault;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.WatchBatch;
import io.shardwright.persistence.WatchBatch.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The stream of one watch as it can be compared, and what no watch may do. Filled on the loop of its store, read by the
 * test.
 */
final class Heard implements Store.WatchListener {

    /** @param revision as an offset */
    record Item(long revision, String text) {}

    private final Shown shown;
    private final List<Item> items = new ArrayList<>();
    private Optional<Fault.Kind> end = Optional.empty();
    private long last = Long.MIN_VALUE;

    Heard(Shown shown) {
        this.shown = shown;
    }

    @Override
    public synchronized void changed(WatchBatch batch) {
        expect(end.isEmpty(), "an event after the end");
        expect(!batch.events().isEmpty(), "a batch without an event");
        long before = last;
        for (Event event : batch.events()) {
            expect(event.revision() > before, "a revision in two batches, or out of order");
            expect(event.revision() >= last, "revisions out of order in a batch");
            last = event.revision();
            items.add(new Item(shown.offset(last), shown.event(event)));
        }
        expect(batch.revision() >= last, "a batch of an older revision than its events");
    }

    @Override
    public synchronized void ended(Fault fault) {
        expect(end.isEmpty(), "a second end");
        end = Optional.of(fault.kind());
    }

    private void expect(boolean kept, String broken) {
        if (!kept) {
            items.add(new Item(shown.offset(last), "BROKEN: " + broken));
        }
    }

    synchronized boolean hasEnded() {
        return end.isPresent();
    }

    /** Tells whether everything up to a revision was heard, as far as the range has a change in it. */
    synchronized boolean reached(long revision) {
        return end.isPresent() || (!items.isEmpty() && items.getLast().revision() >= revision);
    }

    /** Returns the first revision that was heard. */
    synchronized Optional<Long> first() {
        return items.stream().map(Item::revision).findFirst();
    }

    /** Returns what was heard from a revision on, and the end. */
    synchronized List<String> from(long revision) {
        List<String> texts = new ArrayList<>();
        items.stream().filter(item -> item.revision() >= revision).forEach(item -> texts.add(item.text()));
        end.ifPresent(kind -> texts.add("ended: " + kind));
        return texts;
    }
}
