package io.shardwright.rpc.service;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A reader of one stream that takes messages only when the test asks for them. */
final class Heard<Q, R> {

    private final ClientCall<Q, R> call;
    private final BlockingQueue<Object> heard = new LinkedBlockingQueue<>();

    private Heard(ClientCall<Q, R> call) {
        this.call = call;
    }

    static <Q, R> Heard<Q, R> open(ManagedChannel channel, MethodDescriptor<Q, R> method, Q request) {
        Heard<Q, R> reader = new Heard<>(channel.newCall(method, CallOptions.DEFAULT));
        reader.call.start(
                new ClientCall.Listener<>() {
                    @Override
                    public void onMessage(R message) {
                        reader.heard.add(message);
                    }

                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        reader.heard.add(status.asRuntimeException(trailers));
                    }
                },
                new Metadata());
        reader.call.sendMessage(request);
        reader.call.halfClose();
        return reader;
    }

    /** Waits for the next message. */
    @SuppressWarnings("unchecked") // the queue holds messages and the end, which is told apart above
    R next() {
        call.request(1);
        Object next = take();
        if (next instanceof StatusRuntimeException end) {
            throw new AssertionError("the stream ended", end);
        }
        return (R) next;
    }

    /** Waits for the end of the stream. */
    Problem end() {
        call.request(1);
        while (true) {
            if (take() instanceof StatusRuntimeException end) {
                return Problem.of(end);
            }
            call.request(1);
        }
    }

    void cancel() {
        call.cancel("the test cuts the stream", null);
    }

    private Object take() {
        try {
            Object next = heard.poll(20, TimeUnit.SECONDS);
            if (next == null) {
                throw new AssertionError("nothing was heard for 20 s");
            }
            return next;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
