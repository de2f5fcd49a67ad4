package io.shardwright.persistence.jdbc;

import io.shardwright.persistence.Backend;
import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.StoreCalls;
import io.shardwright.persistence.mvcc.EmbeddedSettings;
import java.nio.file.Path;

/**
 * A process that opens a SQLite store, prints {@code open}, and then writes keys and prints each one that was
 * acknowledged. Ends only by a kill.
 */
final class StoreChild {

    private StoreChild() {}

    @SuppressWarnings("SystemOut")
    public static void main(String[] args) {
        Backend backend = Backend.real();
        Store store = JdbcStore.open(
                new JdbcTarget.Sqlite(Path.of(args[0])), EmbeddedSettings.DEFAULTS, backend.clock(), backend.loop());
        System.out.println("open");
        StoreCalls calls = new StoreCalls(backend, store);
        for (int i = 0; ; i++) {
            calls.write(
                    StoreCalls.put(Bytes.utf8("k%06d".formatted(i)), "value " + i),
                    StoreCalls.put(Bytes.utf8("last"), Integer.toString(i)));
            System.out.println(i);
        }
    }
}
