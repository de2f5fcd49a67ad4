package io.shardwright.client.grpc;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ConnectivityState;
import io.grpc.Deadline;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One channel to one address, with a probe that notices a silent peer.
 *
 * <p>grpc-java raises any client keep-alive interval below 10 s to 10 s, but a dead leader has to be noticed sooner
 * (R117: a probe at least every 2 s, 5 s of patience). So the probe is a call of the health service, sent only when
 * nothing was heard for a second. Any answer will do, also "unimplemented". Used on the event loop; {@link #heard} may
 * be called from any thread.
 */
final class Link {

    static final long PROBE_AFTER_NANOS = 1_000_000_000L;
    private static final long PROBE_PATIENCE_SECONDS = 5;

    private static final MethodDescriptor<byte[], byte[]> HEALTH = MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("grpc.health.v1.Health/Check")
            .setRequestMarshaller(new Bytes())
            .setResponseMarshaller(new Bytes())
            .build();

    private final String address;
    private final ManagedChannel channel;
    private final Deadline.Ticker ticker;
    private volatile long lastHeard;
    private boolean probing;

    Link(String address, ManagedChannel channel, Deadline.Ticker ticker) {
        this.address = address;
        this.channel = channel;
        this.ticker = ticker;
        this.lastHeard = ticker.nanoTime();
    }

    String address() {
        return address;
    }

    ManagedChannel channel() {
        return channel;
    }

    void heard() {
        lastHeard = ticker.nanoTime();
    }

    void connect() {
        channel.getState(true);
    }

    /** The next attempt connects at once instead of waiting for the channel's own pause, which grows to two minutes. */
    void forgetPauses() {
        if (channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
            channel.resetConnectBackoff();
        }
    }

    /**
     * Probes the peer if it was silent.
     *
     * @param onDead called from another thread when the probe was not answered in time
     */
    void probe(Consumer<Link> onDead, Consumer<Runnable> loop) {
        if (probing
                || channel.getState(false) != ConnectivityState.READY
                || ticker.nanoTime() - lastHeard < PROBE_AFTER_NANOS) {
            return;
        }
        probing = true;
        ClientCall<byte[], byte[]> call = channel.newCall(
                HEALTH,
                CallOptions.DEFAULT.withDeadline(Deadline.after(PROBE_PATIENCE_SECONDS, TimeUnit.SECONDS, ticker)));
        call.start(
                new ClientCall.Listener<>() {
                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        boolean silent = status.getCode() == Status.Code.DEADLINE_EXCEEDED;
                        if (!silent) {
                            heard();
                        }
                        loop.accept(() -> {
                            probing = false;
                            if (silent) {
                                onDead.accept(Link.this);
                            }
                        });
                    }
                },
                new Metadata());
        call.request(1);
        call.sendMessage(new byte[0]);
        call.halfClose();
    }

    void close() {
        channel.shutdownNow();
    }

    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (java.io.IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        }
    }
}
