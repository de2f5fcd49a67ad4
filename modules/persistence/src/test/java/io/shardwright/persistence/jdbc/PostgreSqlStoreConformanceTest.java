package io.shardwright.persistence.jdbc;

import io.shardwright.persistence.Backend;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.StoreConformanceTest;
import io.shardwright.persistence.mvcc.EmbeddedSettings;
import java.sql.SQLException;

final class PostgreSqlStoreConformanceTest extends StoreConformanceTest {

    @Override
    protected Backend backend() {
        return Backend.real();
    }

    @Override
    protected Store open(Backend on) throws SQLException {
        return JdbcStore.open(TestPostgreSql.newDatabase(), EmbeddedSettings.DEFAULTS, on.clock(), on.loop());
    }

    @Override
    protected Store openAnother(Backend on) throws SQLException {
        return open(on);
    }
}
