package io.shardwright.client.fence;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardwright.testkit.Signals;
import io.shardwright.testkit.TestEtcd;
import java.io.BufferedReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A former owner that slept through the loss of its shard cannot write when it wakes up. */
@Timeout(90)
class PausedOwnerProcessTest {

    @TempDir
    Path folder;

    @Test
    @Tag("R162")
    void anOwnerPausedDuringTheMoveCannotWriteToADatabaseWhenItContinues() throws Exception {
        pausedOwnerIsRefused("jdbc:sqlite:" + folder.resolve("fence.db"));
    }

    @Test
    @Tag("R162")
    void anOwnerPausedDuringTheMoveCannotWriteToEtcdWhenItContinues() throws Exception {
        try (TestEtcd etcd = TestEtcd.start()) {
            pausedOwnerIsRefused(etcd.endpoint());
        }
    }

    private static void pausedOwnerIsRefused(String url) throws Exception {
        Process old = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        OldOwner.class.getName(),
                        url))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (FencedStorage next = FencedStorage.connect(url, "e2/new")) {
            BufferedReader answers = old.inputReader(StandardCharsets.UTF_8);
            assertEquals("open", answers.readLine());
            tell(old);
            assertEquals("written", answers.readLine());

            Signals.stop(old);
            Awaitility.await().until(() -> Signals.isStopped(old));
            // The order to write is already on its way when the process is paused.
            tell(old);
            next.open("7", 2);
            Signals.go(old);

            assertEquals("refused", answers.readLine());
            assertEquals(1, next.lines(), "only the write from before the move");
        } finally {
            old.destroyForcibly().waitFor();
        }
    }

    private static void tell(Process process) throws Exception {
        OutputStream commands = process.getOutputStream();
        commands.write('\n');
        commands.flush();
    }
}
