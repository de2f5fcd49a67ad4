package io.shardwright.persistence.jdbc;

import io.shardwright.persistence.Backend;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.StoreConformanceTest;
import io.shardwright.persistence.mvcc.EmbeddedSettings;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

final class SqliteStoreConformanceTest extends StoreConformanceTest {

    @TempDir
    static Path directory;

    private int opened;

    @Override
    protected Backend backend() {
        return Backend.real();
    }

    @Override
    protected Store open(Backend on) {
        return JdbcStore.open(
                new JdbcTarget.Sqlite(directory.resolve("store" + opened++ + ".db")),
                EmbeddedSettings.DEFAULTS,
                on.clock(),
                on.loop());
    }

    @Override
    protected Store openAnother(Backend on) {
        return open(on);
    }
}
