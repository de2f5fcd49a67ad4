package io.shardwright.rpc.transport.conformance;

import com.google.protobuf.BytesValue;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.awaitility.Awaitility;

/** The client's end of one call: asks for all messages and keeps them, unless started by hand. Thread-safe. */
final class Received extends ClientCall.Listener<BytesValue> {
    private final ClientCall<BytesValue, BytesValue> call;
    private final List<BytesValue> messages = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Status> status = new CompletableFuture<>();
    private final CompletableFuture<Metadata> headers = new CompletableFuture<>();
    private final CompletableFuture<Metadata> trailers = new CompletableFuture<>();

    private Received(ClientCall<BytesValue, BytesValue> call) {
        this.call = call;
    }

    /** Starts the call, sends one request and half-closes, and takes whatever comes. */
    static Received of(ClientCall<BytesValue, BytesValue> call, BytesValue request) {
        Received received = started(call, new Metadata());
        call.request(Integer.MAX_VALUE);
        call.sendMessage(request);
        call.halfClose();
        return received;
    }

    /** Starts the call; the test asks for messages and sends requests itself. */
    static Received started(ClientCall<BytesValue, BytesValue> call, Metadata metadata) {
        Received received = new Received(call);
        call.start(received, metadata);
        return received;
    }

    @Override
    public void onHeaders(Metadata received) {
        headers.complete(received);
    }

    @Override
    public void onMessage(BytesValue message) {
        messages.add(message);
    }

    @Override
    public void onClose(Status end, Metadata received) {
        trailers.complete(received);
        status.complete(end);
    }

    void cancel() {
        call.cancel("the test cancels", null);
    }

    ClientCall<BytesValue, BytesValue> call() {
        return call;
    }

    int count() {
        return messages.size();
    }

    List<BytesValue> messages() {
        return List.copyOf(messages);
    }

    void awaitCount(int atLeast) {
        Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .atMost(Rig.PATIENCE)
                .until(() -> messages.size() >= atLeast || status.isDone());
        if (messages.size() < atLeast) {
            throw new AssertionError("got " + messages.size() + " of " + atLeast + " messages, then " + status.join());
        }
    }

    boolean isOpen() {
        return !status.isDone();
    }

    /** The status that the call ended with. */
    Status status() throws InterruptedException {
        return await(status);
    }

    Metadata headers() throws InterruptedException {
        return await(headers);
    }

    Metadata trailers() throws InterruptedException {
        return await(trailers);
    }

    private static <T> T await(CompletableFuture<T> future) throws InterruptedException {
        try {
            return future.get(Rig.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("the call did not end within " + Rig.PATIENCE, e);
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        }
    }
}
