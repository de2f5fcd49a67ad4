package io.shardwright.client.fence;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.sqlite.SQLiteDataSource;

/** Lines that an owner writes through a fence, in a database or in etcd. */
interface FencedStorage extends AutoCloseable {

    void open(String shardKey, long epoch) throws Exception;

    /** Adds a line, or throws {@link StaleEpochException}. */
    void write(String shardKey, long epoch) throws Exception;

    int lines() throws Exception;

    @Override
    void close();

    /** Connects; {@code jdbc:} or {@code http:} says to what. */
    static FencedStorage connect(String url, String owner) throws SQLException {
        return url.startsWith("jdbc:") ? new Database(url, owner) : new Etcd(url, owner);
    }

    /** A table. */
    final class Database implements FencedStorage {
        private final SQLiteDataSource database = new SQLiteDataSource();
        private final JdbcFence fence;

        Database(String url, String owner) throws SQLException {
            database.setUrl(url);
            database.setBusyTimeout(5000);
            try (Connection connection = database.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE IF NOT EXISTS t (v VARCHAR(20))");
            }
            fence = JdbcFence.create(database, "orders", owner);
        }

        @Override
        public void open(String shardKey, long epoch) throws SQLException {
            fence.open(shardKey, epoch);
        }

        @Override
        public void write(String shardKey, long epoch) throws SQLException {
            fence.write(shardKey, epoch, connection -> {
                try (Statement statement = connection.createStatement()) {
                    statement.execute("INSERT INTO t VALUES ('line')");
                }
            });
        }

        @Override
        public int lines() throws SQLException {
            try (Connection connection = database.getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM t")) {
                return rows.getInt(1);
            }
        }

        @Override
        public void close() {}
    }

    /** Keys under a prefix. */
    final class Etcd implements FencedStorage {
        private static final long PATIENCE_SECONDS = 30;

        private final Client client;
        private final EtcdFence fence;

        Etcd(String url, String owner) {
            client = Client.builder().endpoints(url).build();
            fence = new EtcdFence(client.getKVClient(), "/fence/", "orders", owner);
        }

        @Override
        public void open(String shardKey, long epoch) throws Exception {
            await(fence.open(shardKey, epoch));
        }

        @Override
        public void write(String shardKey, long epoch) throws Exception {
            await(fence.write(
                    shardKey, epoch, Op.put(bytes("/lines/" + UUID.randomUUID()), bytes("line"), PutOption.DEFAULT)));
        }

        @Override
        public int lines() throws Exception {
            GetOption all = GetOption.builder().isPrefix(true).build();
            return (int) await(client.getKVClient().get(bytes("/lines/"), all)).getCount();
        }

        @Override
        public void close() {
            client.close();
        }

        private static ByteSequence bytes(String text) {
            return ByteSequence.from(text, StandardCharsets.UTF_8);
        }

        private static <T> T await(CompletableFuture<T> future) throws Exception {
            try {
                return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                if (e.getCause() instanceof Exception cause) {
                    throw cause;
                }
                throw e;
            }
        }
    }
}
