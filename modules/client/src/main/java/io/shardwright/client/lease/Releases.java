package io.shardwright.client.lease;

import io.shardwright.domain.Outcome;
import io.shardwright.domain.Scheduler;
import io.shardwright.proto.v1.ReleaseResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Tells the shard manager which shards were stopped, in batches, until it answered.
 *
 * <p>A released pair of shard and epoch is remembered until an answer that was asked for after the acknowledgement no
 * longer lists it: until then a late answer could list it once more, and starting it would run a shard that may already
 * belong to another executor.
 */
final class Releases {

    /** Pairs in one call, so that a call of a large executor stays far below the message limit. */
    private static final int BATCH = 4096;

    private static final long UNANSWERED = Long.MAX_VALUE;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    private final Requests requests;
    private final AgentPorts ports;
    private final Backoff backoff;
    private final Runnable onProgress;
    // Value: the number of requests sent when the release was acknowledged, or UNANSWERED.
    private final TreeMap<Held, Long> released = new TreeMap<>();
    private boolean flushing;
    private boolean held;
    private boolean closed;
    private Scheduler.@Nullable Timer timer;

    Releases(Requests requests, AgentPorts ports, Runnable onProgress) {
        this.requests = requests;
        this.ports = ports;
        this.backoff = new Backoff(ports.random(), FIRST_PAUSE, LONGEST_PAUSE);
        this.onProgress = onProgress;
    }

    void add(Held shard) {
        released.put(shard, UNANSWERED);
        flushSoon(Duration.ZERO);
    }

    boolean covers(String shardKey, long epoch) {
        return released.containsKey(new Held(shardKey, epoch));
    }

    boolean allAnswered() {
        return released.values().stream().noneMatch(state -> state == UNANSWERED);
    }

    int unanswered() {
        return (int)
                released.values().stream().filter(state -> state == UNANSWERED).count();
    }

    /** An answer to the request with this ordinal did this to what is granted. */
    void answered(long ordinal, Grants grants, Grants.Change change) {
        if (!(change instanceof Grants.Change.Applied)) {
            return;
        }
        List<Held> again = new ArrayList<>();
        released.entrySet().removeIf(entry -> {
            if (entry.getValue() == UNANSWERED || ordinal <= entry.getValue()) {
                return false;
            }
            if (grants.covers(entry.getKey().shardKey(), entry.getKey().epoch())) {
                again.add(entry.getKey());
            }
            return true;
        });
        again.forEach(this::add);
    }

    /** Another process has the executor id: nothing is to be released in its name. */
    void clear() {
        released.clear();
    }

    /** Keeps what is added from now on until {@link #go}. */
    void hold() {
        held = true;
    }

    void go() {
        held = false;
        if (!allAnswered()) {
            flushSoon(Duration.ZERO);
        }
    }

    void close() {
        closed = true;
        if (timer != null) {
            timer.cancel();
        }
    }

    private void flushSoon(Duration pause) {
        if (flushing || closed) {
            return;
        }
        flushing = true;
        timer = ports.scheduler().schedule(pause, this::flush);
    }

    private void flush() {
        List<Held> batch = released.entrySet().stream()
                .filter(entry -> entry.getValue() == UNANSWERED)
                .map(entry -> entry.getKey())
                .limit(BATCH)
                .toList();
        if (batch.isEmpty() || held || closed) {
            flushing = false;
            return;
        }
        ports.transport()
                .release(requests.release(batch), requests.callDeadline(), outcome -> onAnswer(batch, outcome));
    }

    private void onAnswer(List<Held> batch, Outcome<ReleaseResponse> outcome) {
        flushing = false;
        Duration pause = Duration.ZERO;
        switch (outcome) {
            case Outcome.Success<ReleaseResponse> success -> {
                backoff.reset();
                acknowledge(batch);
            }
            case Outcome.Failure<ReleaseResponse> failure -> {
                // Not registered: there is nothing to let go of.
                if (failure.fault().kind() == Outcome.Fault.Kind.NOT_FOUND) {
                    acknowledge(batch);
                } else {
                    pause = backoff.next();
                }
            }
            case Outcome.Unknown<ReleaseResponse> unknown -> pause = backoff.next();
        }
        if (!allAnswered()) {
            flushSoon(pause);
        }
        onProgress.run();
    }

    private void acknowledge(List<Held> batch) {
        long sent = requests.sent();
        for (Held shard : batch) {
            @Nullable Long state = released.get(shard);
            if (state != null) {
                released.put(shard, sent);
            }
        }
    }
}
