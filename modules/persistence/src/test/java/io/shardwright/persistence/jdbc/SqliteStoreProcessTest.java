package io.shardwright.persistence.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.persistence.Backend;
import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.KeyRange;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.StoreCalls;
import io.shardwright.persistence.mvcc.EmbeddedSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real processes on one SQLite file, killed with SIGKILL. */
final class SqliteStoreProcessTest {

    @TempDir
    Path directory;

    @Test
    void whatAKilledServerAcknowledgedIsThereAndItsLockIsFree() throws IOException, InterruptedException {
        JdbcTarget.Sqlite target = new JdbcTarget.Sqlite(directory.resolve("store.db"));
        Backend backend = Backend.real();
        int acknowledged = -1;
        for (int round = 1; round <= 2; round++) {
            Process child = start(target.file());
            try (BufferedReader output = child.inputReader()) {
                assertEquals("open", output.readLine());
                StoreOpenException refused = assertThrows(
                        StoreOpenException.class,
                        () -> JdbcStore.open(target, EmbeddedSettings.DEFAULTS, backend.clock(), backend.loop()));
                assertEquals(StoreOpenException.Reason.IN_USE, refused.reason());
                assertTrue(refused.getMessage().contains("process " + child.pid()), refused.getMessage());
                while (acknowledged < 150) {
                    acknowledged = Integer.parseInt(output.readLine());
                }
                child.toHandle()
                        .destroyForcibly(); // SIGKILL; unlike Process.destroyForcibly it leaves the output readable
                for (String line = output.readLine(); line != null; line = output.readLine()) {
                    acknowledged = line.isEmpty() ? acknowledged : Integer.parseInt(line);
                }
            } finally {
                child.destroyForcibly();
                assertTrue(child.waitFor(10, TimeUnit.SECONDS));
            }
            try (Store store = JdbcStore.open(target, EmbeddedSettings.DEFAULTS, backend.clock(), backend.loop())) {
                StoreCalls calls = new StoreCalls(backend, store);
                int last = Integer.parseInt(
                        calls.get(Bytes.utf8("last")).orElseThrow().value().toUtf8());
                assertTrue(last >= acknowledged, "acknowledged " + acknowledged + ", found " + last);
                assertEquals(
                        last + 1,
                        calls.read(KeyRange.prefix(Bytes.utf8("k"))).count(),
                        "no transaction is there in part");
                calls.write(new io.shardwright.persistence.Txn.Op.Delete(KeyRange.from(Bytes.utf8("k"))));
            }
            acknowledged = -1;
        }
        backend.close();
    }

    @Test
    void aHardLinkIsNoWayRoundTheLockOfAnotherProcess() throws IOException, InterruptedException {
        Path file = directory.resolve("store.db");
        Backend backend = Backend.real();
        Process child = start(file);
        try (BufferedReader output = child.inputReader()) {
            assertEquals("open", output.readLine());
            for (int i = 0; i < 100; i++) {
                assertEquals(Integer.toString(i), output.readLine());
            }
            JdbcTarget.Sqlite link = new JdbcTarget.Sqlite(Files.createLink(directory.resolve("other-name.db"), file));
            StoreOpenException refused = assertThrows(
                    StoreOpenException.class,
                    () -> JdbcStore.open(link, EmbeddedSettings.DEFAULTS, backend.clock(), backend.loop()));
            assertEquals(StoreOpenException.Reason.IN_USE, refused.reason());
            assertTrue(refused.getMessage().contains("hard link"), refused.getMessage());
            child.toHandle().destroyForcibly();
            assertTrue(child.waitFor(10, TimeUnit.SECONDS));
            JdbcStore.open(link, EmbeddedSettings.DEFAULTS, backend.clock(), backend.loop())
                    .close();
        } finally {
            child.destroyForcibly();
            backend.close();
        }
    }

    @Test
    void aHardLinkInTheSameProcessIsRefusedAndDoesNotGiveTheLockAway() throws IOException, InterruptedException {
        JdbcTarget.Sqlite target = new JdbcTarget.Sqlite(directory.resolve("store.db"));
        Backend backend = Backend.real();
        try (Store store = JdbcStore.open(target, EmbeddedSettings.DEFAULTS, backend.clock(), backend.loop())) {
            new StoreCalls(backend, store).write(StoreCalls.put(Bytes.utf8("a"), "1"));
            JdbcTarget.Sqlite link =
                    new JdbcTarget.Sqlite(Files.createLink(directory.resolve("other-name.db"), target.file()));
            StoreOpenException refused = assertThrows(
                    StoreOpenException.class,
                    () -> JdbcStore.open(link, EmbeddedSettings.DEFAULTS, backend.clock(), backend.loop()));
            assertEquals(StoreOpenException.Reason.IN_USE, refused.reason());
            Process child = start(link.file());
            try (BufferedReader output = child.inputReader()) {
                assertEquals(null, output.readLine(), "another process got in");
                assertEquals(1, child.waitFor());
            } finally {
                child.destroyForcibly();
            }
        } finally {
            backend.close();
        }
    }

    private static Process start(Path file) throws IOException {
        return new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        StoreChild.class.getName(),
                        file.toString()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
