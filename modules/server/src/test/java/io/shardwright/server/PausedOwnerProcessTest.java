package io.shardwright.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardwright.testkit.Signals;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole way: an executor that sleeps through its lease, the server that moves its shard, and the fence. */
@Timeout(120)
final class PausedOwnerProcessTest {

    @TempDir
    Path directory;

    @Test
    @Tag("R162")
    void anExecutorThatSleptThroughTheMoveOfItsShardCannotWriteWhenItContinues() throws Exception {
        try (ServerProcess server = ServerProcess.startOnFreePorts(
                directory,
                "--store",
                "sqlite:" + directory.resolve("state.db"),
                "--set",
                "leases.default-duration=5s",
                "--namespace",
                "orders:fixed:1")) {
            String target = server.connect().authority();
            try (Owner old = new Owner(target, "old")) {
                old.says("started");
                assertEquals("written, owned: true", old.write());
                try (Owner next = new Owner(target, "next")) {
                    Signals.stop(old.process);
                    Awaitility.await().until(() -> Signals.isStopped(old.process));
                    // The order to write is already on its way when the process is paused.
                    old.tell();
                    next.says("started");
                    assertEquals("written, owned: true", next.write());
                    Signals.go(old.process);
                    assertEquals("refused, owned: false", old.answers.readLine());
                    assertEquals("written, owned: true", next.write());
                }
            }
        }
    }

    private final class Owner implements AutoCloseable {
        private final Process process;
        private final BufferedReader answers;

        Owner(String target, String id) throws IOException {
            process = new ProcessBuilder(ServerProcess.java(List.of(
                            PausedOwner.class.getName(),
                            target,
                            directory.resolve("storage.db").toString(),
                            id)))
                    .redirectError(directory.resolve(id + ".err").toFile())
                    .start();
            answers = process.inputReader(StandardCharsets.UTF_8);
        }

        void says(String expected) throws IOException {
            assertEquals(expected, answers.readLine());
        }

        void tell() throws IOException {
            OutputStream commands = process.getOutputStream();
            commands.write('\n');
            commands.flush();
        }

        String write() throws IOException {
            tell();
            return answers.readLine();
        }

        @Override
        public void close() {
            process.destroyForcibly();
            process.onExit().orTimeout(10, TimeUnit.SECONDS).join();
        }
    }
}
