package io.shardwright.rpc.service;

import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.shardwright.control.AssignmentListener;
import io.shardwright.control.Delivery;
import io.shardwright.control.Reply;
import io.shardwright.proto.v1.AssignmentDelivery;
import io.shardwright.proto.v1.Beat;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * The stream of one executor's set. A delivery is the whole set, so a slow reader gets the newest one and never those
 * between.
 */
final class AssignmentStream implements AssignmentListener, StreamPump.Source<AssignmentDelivery> {

    private final ServerCallStreamObserver<AssignmentDelivery> out;
    private final StreamThreads threads;
    private final Duration beatCheck;
    private final StreamPump<AssignmentDelivery> pump;

    // Written on the event loop, taken by the writer.
    private final AtomicReference<Optional<Delivery>> waiting = new AtomicReference<>(Optional.empty());
    private volatile Optional<Reply.Refusal> ended = Optional.empty();

    // Written by the timer, taken by the writer; wrong by one beat at worst.
    private volatile boolean quiet;
    private volatile boolean beatDue;

    // Only the writer touches it.
    private Optional<Beat> beat = Optional.empty();

    /** @param lease of the namespace; a quiet stream carries a beat at least every third of it */
    AssignmentStream(ServerCallStreamObserver<AssignmentDelivery> out, StreamThreads threads, Duration lease) {
        this.out = out;
        this.threads = threads;
        // Two checks without a message between them are a beat, so the longest silence is two periods, with room for a
        // busy timer.
        this.beatCheck = lease.dividedBy(8);
        this.pump = new StreamPump<>(out, threads.writers(), this);
    }

    /** @param watch registers this stream and returns what takes it back */
    void open(Function<AssignmentListener, Runnable> watch) {
        out.setOnReadyHandler(pump::wake);
        Runnable beats = threads.every(beatCheck, this::tick);
        Runnable unwatch = watch.apply(this);
        out.setOnCloseHandler(beats);
        out.setOnCancelHandler(() -> {
            beats.run();
            unwatch.run();
        });
    }

    private void tick() {
        if (quiet) {
            beatDue = true;
            pump.wake();
        }
        quiet = true;
    }

    @Override
    public void deliver(Delivery delivery) {
        waiting.set(Optional.of(delivery));
        pump.wake();
    }

    @Override
    public void ended(Reply.Refusal why) {
        ended = Optional.of(why);
        pump.wake();
    }

    @Override
    public Optional<StatusRuntimeException> end() {
        return ended.map(Refusals::status);
    }

    @Override
    public Optional<AssignmentDelivery> next() {
        Optional<Delivery> delivery = waiting.getAndSet(Optional.empty());
        if (delivery.isPresent()) {
            Delivery set = delivery.get();
            beat = Optional.of(Beat.newBuilder()
                    .setIncarnation(set.incarnation())
                    .setRevision(set.revision())
                    .build());
            return sent(AssignmentDelivery.newBuilder()
                    .setAssignment(ToWire.assignment(set))
                    .build());
        }
        if (beatDue && beat.isPresent()) {
            return sent(AssignmentDelivery.newBuilder().setBeat(beat.get()).build());
        }
        return Optional.empty();
    }

    private Optional<AssignmentDelivery> sent(AssignmentDelivery message) {
        quiet = false;
        beatDue = false;
        return Optional.of(message);
    }
}
