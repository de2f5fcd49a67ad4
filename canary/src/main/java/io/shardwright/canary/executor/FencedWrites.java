package io.shardwright.canary.executor;

import io.shardwright.client.ShardContext;
import io.shardwright.client.fence.JdbcFence;
import io.shardwright.client.fence.StaleEpochException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Counts up a row of some shards every second, under a fence, in turn. It does not ask whether the lease still holds
 * before it writes: who was paused and comes too late has to be refused by the fence alone. Thread-safe.
 *
 * <p>One platform thread talks to the database: SQLite waits for its lock in native code, and shards start on virtual
 * threads, which would then stop every other virtual thread of a small machine, pings and renewals included.
 */
final class FencedWrites implements Writes {

    private static final String CREATE = "CREATE TABLE IF NOT EXISTS canary_writes ("
            + "namespace VARCHAR(63) NOT NULL, shard_key VARCHAR(256) NOT NULL, epoch BIGINT NOT NULL, "
            + "writes BIGINT NOT NULL, PRIMARY KEY (namespace, shard_key, epoch))";
    private static final String WRITE =
            "INSERT INTO canary_writes (namespace, shard_key, epoch, writes) VALUES (?, ?, ?, 1) "
                    + "ON CONFLICT (namespace, shard_key, epoch) DO UPDATE SET writes = canary_writes.writes + 1";

    private static final int SHARDS_PER_SECOND = 16;

    private final UrlDataSource source;
    private final Consumer<String> lines;
    private final ConcurrentSkipListMap<String, ShardContext> shards = new ConcurrentSkipListMap<>();
    private final Map<String, JdbcFence> fences = new ConcurrentHashMap<>();
    private String last = ""; // of the writing thread
    private final ExecutorService database = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("fence-database").factory());
    private final Thread writer = new Thread(this::writeUntilClosed, "fenced-writes");

    FencedWrites(String url, Consumer<String> lines) {
        this.source = new UrlDataSource(url);
        this.lines = lines;
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            if (url.startsWith("jdbc:sqlite:")) {
                // Several processes write: with a write-ahead log a commit waits for the disk once, not three times.
                statement.execute("PRAGMA journal_mode=WAL");
            }
            statement.execute(CREATE);
        } catch (SQLException e) {
            throw new IllegalArgumentException(
                    "--fence: cannot use " + url + ": " + e.getMessage()
                            + "; give a JDBC URL such as jdbc:sqlite:/tmp/fence.db",
                    e);
        }
        writer.setDaemon(true);
        writer.start();
    }

    private void writeUntilClosed() {
        try {
            while (true) {
                TimeUnit.SECONDS.sleep(1);
                writeSome();
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    /** Raises the fence of the shard first, so that its former owners are refused from then on. */
    @Override
    public void begin(ShardContext shard) throws Exception {
        inDatabase(() -> fence(shard).open(shard.shardKey(), shard.epoch()));
        shards.put(shard.namespace() + "/" + shard.shardKey(), shard);
    }

    @Override
    public void end(ShardContext shard) {
        shards.remove(shard.namespace() + "/" + shard.shardKey(), shard);
    }

    private interface Work {
        void run() throws SQLException;
    }

    private void inDatabase(Work work) throws SQLException, InterruptedException {
        Future<?> done = database.submit(() -> {
            work.run();
            return true;
        });
        try {
            done.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof StaleEpochException refused) {
                throw refused;
            }
            throw new SQLException(e.getCause());
        }
    }

    private JdbcFence fence(ShardContext shard) throws SQLException {
        JdbcFence known = fences.get(shard.namespace());
        if (known == null) {
            known = JdbcFence.create(source, shard.namespace(), shard.owner());
            fences.put(shard.namespace(), known);
        }
        return known;
    }

    /** Writes for the next shards in the order of their names, and begins again after the last. */
    private void writeSome() throws InterruptedException {
        for (int i = 0; i < Math.min(SHARDS_PER_SECOND, shards.size()); i++) {
            Map.Entry<String, ShardContext> next = shards.higherEntry(last);
            if (next == null) {
                next = shards.firstEntry();
            }
            if (next == null) {
                return;
            }
            last = next.getKey();
            write(next.getValue());
        }
    }

    private void write(ShardContext shard) throws InterruptedException {
        try {
            inDatabase(
                    () -> fence(shard).write(shard.shardKey(), shard.epoch(), connection -> count(connection, shard)));
        } catch (StaleEpochException refused) {
            lines.accept("fence-refused shard=" + shard.shardKey() + " epoch=" + shard.epoch() + " namespace="
                    + shard.namespace());
            end(shard);
        } catch (SQLException e) {
            lines.accept("fence-failed shard=" + shard.shardKey() + " message=\"" + e.getMessage() + "\"");
        }
    }

    private static void count(Connection connection, ShardContext shard) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(WRITE)) {
            statement.setString(1, shard.namespace());
            statement.setString(2, shard.shardKey());
            statement.setLong(3, shard.epoch());
            statement.executeUpdate();
        }
    }

    @Override
    public void close() {
        writer.interrupt();
        database.shutdownNow();
    }
}
