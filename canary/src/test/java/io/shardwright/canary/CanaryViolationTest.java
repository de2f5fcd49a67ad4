package io.shardwright.canary;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/**
 * The canary against executors that lie, and against some that do not: it must catch the first and spare the second.
 */
final class CanaryViolationTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(LyingCluster cluster) throws Exception {
        CompletableFuture<Integer> code = CompletableFuture.supplyAsync(() -> new CommandLine(new CanaryCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(
                        "--target",
                        cluster.target(),
                        "--shards",
                        "1",
                        "--executors",
                        "0",
                        "--for",
                        "8s",
                        "--output",
                        "json"));
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> err.toString().contains("pinging"));
        Awaitility.await().pollDelay(Duration.ofSeconds(2)).until(cluster::isWatched);
        cluster.move();
        return code.get(120, TimeUnit.SECONDS);
    }

    @Test
    void anExecutorThatKeepsAShardAfterItMovedIsCaught() throws Exception {
        try (LyingCluster cluster = new LyingCluster(false)) {
            assertEquals(ExitCodes.VIOLATION, run(cluster), out + "\n" + err);
        }
        String summary = out.toString();
        assertTrue(summary.contains("\"clean\":false"), summary);
        assertTrue(summary.contains("\"kind\":\"DOUBLE_OWNER\",\"shard\":\"canary-fixed/0\""), summary);
    }

    @Test
    void anExecutorThatLetsGoIsClean() throws Exception {
        try (LyingCluster cluster = new LyingCluster(true)) {
            assertEquals(ExitCodes.CLEAN, run(cluster), out + "\n" + err);
        }
        assertTrue(out.toString().contains("\"moves\":1"), out.toString());
    }
}
