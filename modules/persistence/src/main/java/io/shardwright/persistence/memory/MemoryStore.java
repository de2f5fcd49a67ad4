package io.shardwright.persistence.memory;

import io.shardwright.domain.Clock;
import io.shardwright.domain.Scheduler;
import io.shardwright.persistence.mvcc.EmbeddedSettings;
import io.shardwright.persistence.mvcc.EmbeddedStore;
import io.shardwright.persistence.mvcc.Journal;
import io.shardwright.persistence.mvcc.Journal.JournalException;

/**
 * A store that keeps everything in memory and forgets it when it is closed. Deterministic: all that it does, it does on
 * the scheduler.
 */
public final class MemoryStore {

    private MemoryStore() {}

    /** Opens an empty store with the default settings. */
    public static EmbeddedStore open(Clock clock, Scheduler scheduler) {
        return open(EmbeddedSettings.DEFAULTS, clock, scheduler);
    }

    /** Opens an empty store. */
    public static EmbeddedStore open(EmbeddedSettings settings, Clock clock, Scheduler scheduler) {
        try {
            return EmbeddedStore.open(settings, clock, scheduler, scheduler, Journal.NONE);
        } catch (JournalException e) {
            throw new IllegalStateException("a journal that keeps nothing cannot fail", e);
        }
    }
}
