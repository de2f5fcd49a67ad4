package io.shardwright.server;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.shardwright.election.LeaderAddress;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Finds out whether others who go to the advertised address come to this very process (R131 to R137). A leader whom
 * nobody reaches is worse than none.
 *
 * <p>Without TLS it asks the address for a health entry that only this process has; with TLS it only connects, because
 * the certificate that clients check is no business of the server's. One attempt a second, until one arrives.
 */
final class OwnAddress {

    private static final Logger LOG = System.getLogger("shardwright");
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration ATTEMPT = Duration.ofSeconds(2);
    private static final long WARNINGS_NANOS = Duration.ofSeconds(30).toNanos();

    private final LeaderAddress address;
    private final String entry;
    private final boolean plaintext;

    /** @param entry a health entry that only this process has */
    OwnAddress(LeaderAddress address, String entry, boolean plaintext) {
        this.address = address;
        this.entry = entry;
        this.plaintext = plaintext;
    }

    /**
     * Tries until it is reached.
     *
     * @param reached called once, on another thread
     * @return what ends the attempts
     */
    Runnable watch(Runnable reached) {
        Thread attempts = Thread.ofVirtual().name("own address").start(() -> {
            try {
                tryUntilReached();
                reached.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // the server stops
            }
        });
        return attempts::interrupt;
    }

    private void tryUntilReached() throws InterruptedException {
        long warned = System.nanoTime() - WARNINGS_NANOS;
        while (!reached()) {
            if (System.nanoTime() - warned >= WARNINGS_NANOS) {
                warned = System.nanoTime();
                LOG.log(
                        Level.WARNING,
                        "{0} does not lead to this process; it does not campaign before it does: check grpc.advertised-host and grpc.advertised-port",
                        address);
            }
            Thread.sleep(PAUSE);
        }
        LOG.log(Level.INFO, "reached under {0}", address);
    }

    /** Makes one attempt. */
    boolean reached() throws InterruptedException {
        return plaintext ? entryIsThere() : connects();
    }

    private boolean connects() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address.host(), address.port()), (int) ATTEMPT.toMillis());
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private boolean entryIsThere() throws InterruptedException {
        ManagedChannel channel = Grpc.newChannelBuilder(address.toString(), InsecureChannelCredentials.create())
                .build();
        try {
            return HealthGrpc.newBlockingStub(channel)
                            .withDeadlineAfter(ATTEMPT.toMillis(), TimeUnit.MILLISECONDS)
                            .check(HealthCheckRequest.newBuilder()
                                    .setService(entry)
                                    .build())
                            .getStatus()
                    == ServingStatus.SERVING;
        } catch (StatusRuntimeException e) {
            return false; // nobody there, or another process
        } finally {
            channel.shutdownNow();
        }
    }
}
