package io.shardwright.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.shardwright.proto.v1.AdminServiceGrpc;
import io.shardwright.proto.v1.DescribeNamespaceRequest;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers on a real PostgreSQL. */
final class PostgreSqlServerTest {

    @TempDir
    Path directory;

    @Test
    void aServerKeepsItsStateThereAndASecondOneIsRefused() throws Exception {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder().start()) {
            String url = "jdbc:postgresql://127.0.0.1:" + postgres.getPort() + "/postgres";
            try (ServerProcess first = start(url, "orders:fixed:12")) {
                assertEquals(12, shards(first.connect()));
                try (ServerProcess second = start(url, "orders:fixed:12")) {
                    assertEquals(1, second.exitCode());
                    assertTrue(
                            second.log().contains("PostgreSQL store " + url + " is in use by another server"),
                            second.log());
                    assertTrue(!second.log().contains("not a secret"), second.log());
                }
                first.kill();
            }
            try (ServerProcess next = start(url, "sessions:ephemeral")) {
                assertEquals(12, shards(next.connect()));
            }
        }
    }

    private ServerProcess start(String url, String namespace) throws Exception {
        return ServerProcess.startOnFreePorts(
                directory,
                "--set",
                "persistence.type=postgres",
                "--set",
                "persistence.postgres.url=" + url,
                "--set",
                "persistence.postgres.user=postgres",
                "--set",
                "persistence.postgres.password=not a secret",
                "--namespace",
                namespace);
    }

    private static int shards(ManagedChannel channel) {
        return AdminServiceGrpc.newBlockingStub(channel)
                .describeNamespace(DescribeNamespaceRequest.newBuilder()
                        .setNamespace("orders")
                        .build())
                .getNamespace()
                .getShardCount();
    }
}
