package io.shardwright.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.helidon.json.JsonArray;
import io.helidon.json.JsonObject;
import io.helidon.json.JsonParser;
import io.shardwright.proto.v1.ExecutorServiceGrpc;
import io.shardwright.proto.v1.RegisterRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** shardctl against a server, both as processes: what the two were each tested with alone fits together. */
final class ShardctlProcessTest {

    @TempDir
    Path directory;

    private String address = "";

    @Test
    void namespacesExecutorsAndShardsAreShownAndChangedAsTheServerHasThem() throws Exception {
        try (ServerProcess server = ServerProcess.startOnFreePorts(directory, "--store", "memory")) {
            ManagedChannel channel = server.connect();
            address = channel.authority();

            assertTrue(json(0, "namespace", "create", "orders", "--shards", "4", "--lease", "1m")
                    .booleanValue("created", false));
            JsonArray namespaces =
                    json(0, "namespace", "list").arrayValue("namespaces").orElseThrow();
            assertEquals(1, namespaces.values().size());
            assertEquals(60_000, namespaces.values().getFirst().asObject().intValue("leaseMillis", 0));

            var unused = ExecutorServiceGrpc.newBlockingStub(channel)
                    .register(RegisterRequest.newBuilder()
                            .setNamespace("orders")
                            .setExecutorId("a")
                            .setProcessId("process of a")
                            .setAddress("a:7000")
                            .build());
            JsonObject described = json(0, "namespace", "describe", "orders");
            assertEquals(1, described.intValue("executorCount", 0));
            assertEquals(0, described.intValue("unassignedCount", -1));
            JsonArray executors = json(0, "executor", "list", "-n", "orders")
                    .arrayValue("executors")
                    .orElseThrow();
            assertEquals("a", executors.values().getFirst().asObject().stringValue("executorId", ""));
            assertEquals(4, executors.values().getFirst().asObject().intValue("assignedCount", 0));
            JsonArray held = json(0, "executor", "describe", "a", "-n", "orders")
                    .arrayValue("shards")
                    .orElseThrow();
            assertEquals(4, held.values().size());
            JsonObject shard = json(0, "shard", "inspect", "3", "-n", "orders")
                    .objectValue("shard")
                    .orElseThrow();
            assertEquals("a", shard.stringValue("owner", ""));
            assertEquals("assigned", shard.stringValue("state", ""));
            assertTrue(run(0, "executor", "list", "-n", "orders").contains("a:7000"));

            json(3, "shard", "inspect", "99", "-n", "orders");
            json(0, "shard", "drain", "3", "-n", "orders", "--reason", "disk");
            JsonObject drained = json(0, "shard", "list-drained", "-n", "orders")
                    .arrayValue("shards")
                    .orElseThrow()
                    .values()
                    .getFirst()
                    .asObject();
            assertEquals("3", drained.stringValue("shardKey", ""), drained::toString);
            JsonObject free = json(0, "shard", "inspect", "3", "-n", "orders");
            assertTrue(free.toString().contains("disk"), free::toString);
            json(0, "shard", "undrain", "3", "-n", "orders");
            assertEquals(
                    "sessions",
                    json(0, "namespace", "create", "sessions", "--ephemeral")
                            .objectValue("namespace", JsonObject.empty())
                            .stringValue("name", ""));
            assertEquals(
                    "sessions",
                    json(0, "namespace", "delete", "sessions", "--yes").stringValue("deleted", ""));
            json(3, "namespace", "describe", "sessions");
        }
        run(4, "namespace", "list", "--timeout", "2s");
    }

    private JsonObject json(int exitCode, String... arguments) throws Exception {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--output", "json"));
        String out = run(exitCode, all.toArray(String[]::new));
        return exitCode == 0 ? JsonParser.create(out).readJsonObject() : JsonObject.empty();
    }

    private String run(int exitCode, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("io.shardwright.cli.Shardctl", "--address", address));
        command.addAll(List.of(arguments));
        Path errors = directory.resolve("shardctl.err");
        Process process = new ProcessBuilder(ServerProcess.java(command))
                .redirectError(errors.toFile())
                .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), command::toString);
        assertEquals(exitCode, process.exitValue(), () -> command + ": " + out + errors);
        return out;
    }
}
