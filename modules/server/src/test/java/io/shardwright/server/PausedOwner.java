package io.shardwright.server;

import io.shardwright.client.ExecutorClient;
import io.shardwright.client.ShardContext;
import io.shardwright.client.ShardProcessor;
import io.shardwright.client.fence.JdbcFence;
import io.shardwright.client.fence.StaleEpochException;
import io.shardwright.client.lease.ShardStop;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.sqlite.SQLiteDataSource;

/**
 * An executor that, whenever it is told to, writes for the shard that it started last, whatever became of it since.
 * Says whether the write was taken, and whether it then believes to own the shard.
 */
final class PausedOwner {

    private volatile Optional<ShardContext> last = Optional.empty();
    private final SQLiteDataSource storage = new SQLiteDataSource();

    private PausedOwner() {}

    public static void main(String[] args) throws Exception {
        new PausedOwner().run(args[0], args[1], args[2]);
    }

    private void run(String target, String database, String id) throws Exception {
        storage.setUrl("jdbc:sqlite:" + database);
        storage.setBusyTimeout(10_000);
        try (ExecutorClient executor = ExecutorClient.builder()
                .target(target)
                .namespace("orders")
                .executorId(id)
                .processors(key -> new Started())
                .start()) {
            System.err.println("runs as " + executor.executorId());
            BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            while (commands.readLine() != null) {
                write(last.orElseThrow());
            }
        }
    }

    private void write(ShardContext shard) throws Exception {
        String answer;
        try {
            JdbcFence.create(storage, "orders", shard.owner()).write(shard.shardKey(), shard.epoch(), connection -> {});
            answer = "written";
        } catch (StaleEpochException e) {
            answer = "refused";
        }
        System.out.println(answer + ", owned: " + shard.isOwned());
    }

    private final class Started implements ShardProcessor {
        @Override
        public void start(ShardContext shard) throws Exception {
            JdbcFence.create(storage, "orders", shard.owner()).open(shard.shardKey(), shard.epoch());
            last = Optional.of(shard);
            System.out.println("started");
        }

        @Override
        public void stop(ShardStop reason) {}
    }
}
