package io.shardwright.client.lease;

import io.shardwright.domain.Outcome;
import io.shardwright.domain.Scheduler;
import io.shardwright.proto.v1.AssignmentDelivery;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one stream of assignments open: opens it again with pauses when it ends, and when it was silent for a whole
 * lease, which is three beats.
 */
final class AssignmentWatch {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final AgentPorts ports;
    private final Requests requests;
    private final Consumer<AssignmentDelivery> onDelivery;
    private final Backoff backoff;

    private Duration silence = Duration.ofSeconds(15);
    private boolean wanted;
    private long generation;
    private Transport.@Nullable AssignmentStream stream;
    private Scheduler.@Nullable Timer timer;

    AssignmentWatch(AgentPorts ports, Requests requests, Consumer<AssignmentDelivery> onDelivery) {
        this.ports = ports;
        this.requests = requests;
        this.onDelivery = onDelivery;
        this.backoff = new Backoff(ports.random(), FIRST_PAUSE, LONGEST_PAUSE);
    }

    /** Wants an open stream from now on, and replaces one that is open. */
    void open(Duration lease) {
        silence = lease;
        wanted = true;
        connect();
    }

    /** Replaces the stream after a pause: it hangs on a process that is not in charge. */
    void reopen() {
        if (wanted) {
            close();
            wanted = true;
            after(backoff.next(), this::connect);
        }
    }

    void close() {
        wanted = false;
        generation++;
        if (stream != null) {
            stream.cancel();
            stream = null;
        }
        if (timer != null) {
            timer.cancel();
        }
    }

    private void connect() {
        close();
        wanted = true;
        long mine = generation;
        stream = ports.transport()
                .watchAssignments(requests.watch(), delivery -> onMessage(mine, delivery), fault -> onEnd(mine, fault));
        after(silence, this::reopen);
    }

    private void onMessage(long from, AssignmentDelivery delivery) {
        if (from != generation) {
            return;
        }
        backoff.reset();
        after(silence, this::reopen);
        onDelivery.accept(delivery);
    }

    private void onEnd(long from, Outcome.Fault unused) {
        if (from == generation) {
            stream = null;
            reopen();
        }
    }

    private void after(Duration pause, Runnable action) {
        if (timer != null) {
            timer.cancel();
        }
        timer = ports.scheduler().schedule(pause, action);
    }
}
