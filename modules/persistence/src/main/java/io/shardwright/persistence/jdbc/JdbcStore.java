package io.shardwright.persistence.jdbc;

import io.shardwright.domain.Clock;
import io.shardwright.domain.Outcome.Fault;
import io.shardwright.domain.Scheduler;
import io.shardwright.domain.system.EventLoop;
import io.shardwright.persistence.ForwardingStore;
import io.shardwright.persistence.jdbc.StoreOpenException.Reason;
import io.shardwright.persistence.mvcc.EmbeddedSettings;
import io.shardwright.persistence.mvcc.EmbeddedStore;
import io.shardwright.persistence.mvcc.Journal.JournalException;
import java.time.Duration;

/**
 * A store in SQLite or PostgreSQL.
 *
 * <p>Blocking work runs on a thread of the store; answers come on the caller's loop. A change is committed to the
 * database before it is answered. Leases start again in full when the store is opened. If the database is lost for good
 * (the PostgreSQL session that holds the lock ended, the SQLite file was removed), the store ends: each call fails with
 * {@code UNAVAILABLE} and each watch is told so.
 */
public final class JdbcStore extends ForwardingStore {

    /**
     * How often the database is looked at when nothing is written; bounds how long a server without its lock answers
     * reads.
     */
    private static final Duration PROBE_INTERVAL = Duration.ofSeconds(1);

    private final EventLoop loop;
    private final EmbeddedStore store;

    private JdbcStore(EventLoop loop, EmbeddedStore store) {
        super(store);
        this.loop = loop;
        this.store = store;
    }

    /**
     * Opens a store and waits until it is loaded.
     *
     * @param answerLoop gets the answers
     * @throws StoreOpenException if it is in use, damaged, of a newer version or out of reach
     */
    public static JdbcStore open(JdbcTarget target, EmbeddedSettings settings, Clock clock, Scheduler answerLoop) {
        Dialect dialect =
                switch (target) {
                    case JdbcTarget.Sqlite sqlite -> SqliteDialect.open(sqlite);
                    case JdbcTarget.PostgreSql postgreSql -> PostgreSqlDialect.open(postgreSql);
                };
        return open(dialect, settings, clock, answerLoop);
    }

    static JdbcStore open(Dialect dialect, EmbeddedSettings settings, Clock clock, Scheduler answerLoop) {
        EventLoop loop = EventLoop.start("shardwright-store");
        boolean opened = false;
        try {
            EmbeddedStore store = EmbeddedStore.open(settings, clock, loop, answerLoop, SqlJournal.open(dialect));
            JdbcStore opening = new JdbcStore(loop, store);
            loop.schedule(PROBE_INTERVAL, opening::probe);
            opened = true;
            return opening;
        } catch (JournalException e) {
            Reason reason = e.fault().kind() == Fault.Kind.CORRUPT ? Reason.CORRUPT : Reason.UNREACHABLE;
            throw new StoreOpenException(reason, e.fault().message() + "; it was left as it is: restore a backup", e);
        } catch (IllegalArgumentException e) {
            throw new StoreOpenException(
                    Reason.CORRUPT,
                    dialect.displayName() + " holds revisions that do not fit together (" + e.getMessage()
                            + "); restore a backup",
                    e);
        } finally {
            if (!opened) {
                loop.close();
                dialect.close();
            }
        }
    }

    private void probe() {
        store.probe();
        loop.schedule(PROBE_INTERVAL, this::probe);
    }

    /**
     * Returns when the last statement that the database answered was sent, by the clock that this store was opened
     * with. At that moment the store still was this process's own. Grows every second while the database answers. Any
     * thread may call this.
     */
    public long provenAt() {
        return store.provenAt();
    }

    /** Answers what was called, closes the database and gives it free for the next server. Waits for that. */
    @Override
    public void close() {
        super.close();
        loop.close();
    }
}
