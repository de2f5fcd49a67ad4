package io.shardwright.client.fence;

import java.nio.file.Path;
import javax.sql.DataSource;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

/** The fence on SQLite. */
class JdbcFenceTest extends JdbcFenceBehaviour {

    @TempDir
    Path folder;

    @Override
    DataSource newDatabase() {
        SQLiteDataSource database = new SQLiteDataSource();
        database.setUrl("jdbc:sqlite:" + folder.resolve("fence.db"));
        database.setBusyTimeout(5000);
        return database;
    }
}
