package io.shardwright.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.shardwright.proto.v1.AdminServiceGrpc;
import io.shardwright.proto.v1.CreateNamespaceRequest;
import io.shardwright.proto.v1.ExecutorServiceGrpc;
import io.shardwright.proto.v1.GetRoutingTableRequest;
import io.shardwright.proto.v1.ListNamespacesRequest;
import io.shardwright.proto.v1.Namespace;
import io.shardwright.proto.v1.NamespaceKind;
import io.shardwright.proto.v1.RegisterRequest;
import io.shardwright.proto.v1.RegisterResponse;
import io.shardwright.proto.v1.RenewRequest;
import io.shardwright.proto.v1.ShardClaim;
import io.shardwright.proto.v1.SpectatorServiceGrpc;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A whole server on a file system that is really full, a small tmpfs that only this process sees (which needs no root
 * but Linux with user namespaces), and on one that fails.
 */
final class FullDiskProcessTest {

    private static final String OWN_TMPFS = "mount -t tmpfs -o size=4m tmpfs \"$0\" && exec \"$@\"";

    @TempDir
    Path directory;

    @Test
    void aServerOnAFullDiskRefusesChangesKeepsLeasesLosesNothingAndRecovers() throws Exception {
        Path disk = Files.createDirectory(directory.resolve("disk"));
        Path file = disk.resolve("state.db");
        TreeSet<String> acknowledged = new TreeSet<>(List.of("orders"));
        try (ServerProcess server = ServerProcess.launch(directory, onOwnDisk(disk, file))) {
            ManagedChannel channel = server.connect();
            var executors = ExecutorServiceGrpc.newBlockingStub(channel);
            RegisterResponse registered = executors.register(registration("a"));
            assertEquals(4, registered.getAssignment().getShardsCount());

            Path ballast = fill(server, disk);
            StatusRuntimeException refusal = createUntilRefused(channel, acknowledged);
            assertEquals(Status.Code.UNAVAILABLE, refusal.getStatus().getCode());
            String message = String.valueOf(refusal.getStatus().getDescription());
            assertTrue(message.contains("full"), message);
            StatusRuntimeException joining =
                    assertThrows(StatusRuntimeException.class, () -> executors.register(registration("b")));
            assertEquals(Status.Code.UNAVAILABLE, joining.getStatus().getCode(), joining::toString);
            assertEquals(acknowledged, namespaces(channel), "what was refused is not there");
            assertTrue(executors.renew(renewal(registered, 1)).hasConfirmed(), "leases cost no space");

            Files.delete(ballast);
            create(channel, "recovered");
            acknowledged.add("recovered");
            executors.register(registration("b"));
            assertTrue(executors.renew(renewal(registered, 2)).getLeaseMillis() > 0);
            assertEquals(acknowledged, namespaces(channel));
            copyOut(server, disk);
        }
        try (ServerProcess next =
                ServerProcess.startOnFreePorts(directory, "--store", "sqlite:" + directory.resolve("copy/state.db"))) {
            ManagedChannel channel = next.connect();
            assertEquals(acknowledged, namespaces(channel), "what was acknowledged was on the disk");
            assertEquals(
                    List.of("a", "b"),
                    SpectatorServiceGrpc.newBlockingStub(channel)
                            .getRoutingTable(GetRoutingTableRequest.newBuilder()
                                    .setNamespace("orders")
                                    .build())
                            .getExecutorsList()
                            .stream()
                            .map(executor -> executor.getExecutorId())
                            .sorted()
                            .toList());
        }
    }

    @Test
    void aServerWhoseDiskFailsSaysSoNamesTheStoreLosesNothingAndRecovers() throws Exception {
        Path file = directory.resolve("state.db");
        try (ServerProcess server = ServerProcess.startOnFreePorts(
                directory, "--store", "sqlite:" + file, "--namespace", "orders:fixed:4")) {
            ManagedChannel channel = server.connect();
            var executors = ExecutorServiceGrpc.newBlockingStub(channel);
            RegisterResponse registered = executors.register(registration("a"));
            TreeSet<String> acknowledged = new TreeSet<>(List.of("orders"));

            // No file of this process may grow: an input/output error for SQLite, and not a full disk.
            long size = Files.size(directory.resolve("state.db-wal"));
            limitFileSize(server, Long.toString(size));
            StatusRuntimeException unanswered = createUntilRefused(channel, acknowledged);
            assertEquals(Status.Code.DEADLINE_EXCEEDED, unanswered.getStatus().getCode(), unanswered::toString);
            assertTrue(server.log().contains("the store does not say whether it took a change"), server::log);
            assertTrue(server.log().contains("SQLITE_IOERR"), server::log);
            assertTrue(executors.renew(renewal(registered, 1)).hasConfirmed(), "leases cost no space");

            limitFileSize(server, "unlimited");
            create(channel, "recovered");
            acknowledged.add("recovered");
            assertTrue(namespaces(channel).containsAll(acknowledged), "what was acknowledged is there");
            server.kill();
        }
        try (ServerProcess next = ServerProcess.startOnFreePorts(directory, "--store", "sqlite:" + file)) {
            assertTrue(namespaces(next.connect()).contains("recovered"));
        }
    }

    private static void limitFileSize(ServerProcess server, String bytes) throws IOException, InterruptedException {
        Process limit = new ProcessBuilder("prlimit", "--pid", Long.toString(server.pid()), "--fsize=" + bytes + ":")
                .inheritIO()
                .start();
        assertEquals(0, limit.waitFor(), "this test needs Linux and the command prlimit (util-linux)");
    }

    private static List<String> onOwnDisk(Path disk, Path file) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(alone(disk));
        command.addAll(ServerProcess.java(List.of(
                Main.class.getName(),
                "server",
                "--store",
                "sqlite:" + file,
                "--grpc-port",
                "0",
                "--http-port",
                "0",
                "--namespace",
                "orders:fixed:4")));
        return command;
    }

    /** Returns a command that runs others with a disk of their own. */
    private static List<String> alone(Path disk) throws IOException, InterruptedException {
        StringBuilder said = new StringBuilder();
        for (List<String> unshare :
                List.of(List.of("unshare", "--user", "--map-root-user", "--mount"), List.of("unshare", "--mount"))) {
            List<String> alone = new ArrayList<>(unshare);
            alone.addAll(List.of("sh", "-c", OWN_TMPFS, disk.toString()));
            List<String> probe = new ArrayList<>(alone);
            probe.add("true");
            Process tried = new ProcessBuilder(probe).redirectErrorStream(true).start();
            said.append(new String(tried.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
            if (tried.waitFor() == 0) {
                return alone;
            }
        }
        throw new AssertionError("this test needs Linux, the command unshare (util-linux), and user namespaces (sysctl"
                + " kernel.apparmor_restrict_unprivileged_userns=0 on Ubuntu) or root: " + said);
    }

    /** The server's disk as other processes reach it. */
    private static Path seenFromHere(ServerProcess server, Path disk) {
        return Path.of("/proc/" + server.pid() + "/root" + disk);
    }

    private static Path fill(ServerProcess server, Path disk) throws IOException {
        Path ballast = seenFromHere(server, disk).resolve("ballast");
        try (OutputStream out = Files.newOutputStream(ballast)) {
            byte[] page = new byte[4096];
            while (true) {
                out.write(page);
            }
        } catch (IOException full) {
            return ballast;
        }
    }

    private void copyOut(ServerProcess server, Path disk) throws IOException {
        Path copy = Files.createDirectory(directory.resolve("copy"));
        for (String name : List.of("state.db", "state.db-wal")) {
            Files.copy(seenFromHere(server, disk).resolve(name), copy.resolve(name));
        }
    }

    /** The log of the store has some room of its own, so the first writes may still fit. */
    private static StatusRuntimeException createUntilRefused(ManagedChannel channel, TreeSet<String> acknowledged) {
        for (int i = 0; i < 2_000; i++) {
            try {
                create(channel, "n" + i);
                acknowledged.add("n" + i);
            } catch (StatusRuntimeException refused) {
                return refused;
            }
        }
        throw new AssertionError("the disk never got full");
    }

    private static void create(ManagedChannel channel, String name) {
        AdminServiceGrpc.newBlockingStub(channel)
                .withDeadlineAfter(10, TimeUnit.SECONDS) // shorter than a lease
                .createNamespace(CreateNamespaceRequest.newBuilder()
                        .setNamespace(Namespace.newBuilder()
                                .setName(name)
                                .setKind(NamespaceKind.NAMESPACE_KIND_FIXED)
                                .setShardCount(2))
                        .build());
    }

    private static TreeSet<String> namespaces(ManagedChannel channel) {
        return AdminServiceGrpc.newBlockingStub(channel)
                .listNamespaces(ListNamespacesRequest.getDefaultInstance())
                .getNamespacesList()
                .stream()
                .map(namespace -> namespace.getName())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static RegisterRequest registration(String id) {
        return RegisterRequest.newBuilder()
                .setNamespace("orders")
                .setExecutorId(id)
                .setProcessId("process of " + id)
                .setAddress(id + ":7000")
                .build();
    }

    private static RenewRequest renewal(RegisterResponse registered, long sequence) {
        return RenewRequest.newBuilder()
                .setNamespace("orders")
                .setExecutorId("a")
                .setProcessId("process of a")
                .setSequence(sequence)
                .addAllClaims(registered.getAssignment().getShardsList().stream()
                        .map(shard -> ShardClaim.newBuilder()
                                .setShardKey(shard.getShardKey())
                                .setEpoch(shard.getEpoch())
                                .build())
                        .toList())
                .build();
    }
}
