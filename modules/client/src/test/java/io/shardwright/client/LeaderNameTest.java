package io.shardwright.client;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.client.grpc.TlsOptions;
import io.shardwright.client.lease.ShardStop;
import io.shardwright.testkit.Authority;
import io.shardwright.testkit.Authority.Order;
import io.shardwright.testkit.Certificates;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which name the certificate of a leader must have, whose address a standby names as a number. */
final class LeaderNameTest {

    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Authority authority = Authority.create("CN=shard manager authority");
    private final TlsOptions trusting = TlsOptions.trusting(authority.file());

    private Certificates.Pair named(String name) {
        return authority.issue(Order.of("CN=" + name, name));
    }

    private boolean registers(Certificates.Pair standbys, Certificates.Pair leaders, String host, TlsOptions tls)
            throws Exception {
        try (FakeServer leader = new FakeServer(0, LEASE, Optional.of(leaders));
                FakeServer standby = new FakeServer(leader.port(), LEASE, Optional.of(standbys));
                ExecutorClient client = ExecutorClient.builder()
                        .target(host + ":" + standby.port())
                        .namespace("orders")
                        .executorId("e1")
                        .tls(tls)
                        .closeTimeout(Duration.ofSeconds(1))
                        .processors(key -> new ShardProcessor() {
                            @Override
                            public void start(ShardContext shard) {}

                            @Override
                            public void stop(ShardStop reason) {}
                        })
                        .start()) {
            // Longer than a handshake takes here, where the answer is no.
            boolean registered = client.awaitRegistered(leaders.equals(standbys) ? PATIENCE : Duration.ofSeconds(2));
            return registered && client.describe().server().contains("leader");
        }
    }

    @Test
    @Tag("R37")
    void itIsTheHostThatTheClientWasConfiguredWith() throws Exception {
        Certificates.Pair service = named("localhost");
        assertTrue(registers(service, service, "localhost", trusting));
        assertFalse(registers(service, named("elsewhere.example.org"), "localhost", trusting));
    }

    @Test
    @Tag("R39")
    void aServerNameThatIsSetWinsOverTheHost() throws Exception {
        Certificates.Pair service = named("shards.example.org");
        TlsOptions named = trusting.serverName("shards.example.org");
        assertTrue(registers(service, service, "localhost", named));
        assertTrue(registers(service, service, "127.0.0.1", named));
        assertFalse(registers(service, named("localhost"), "localhost", named));
    }
}
