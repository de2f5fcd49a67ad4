package io.shardwright.client.routing;

import io.shardwright.client.lease.Backoff;
import io.shardwright.domain.Clock;
import io.shardwright.domain.Outcome;
import io.shardwright.domain.RandomSource;
import io.shardwright.domain.Scheduler;
import io.shardwright.proto.v1.RoutingDelta;
import io.shardwright.proto.v1.RoutingEvent;
import io.shardwright.proto.v1.RoutingSnapshot;
import io.shardwright.proto.v1.WatchRoutingRequest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a routing table equal to the shard manager's over a stream that may break at any message.
 *
 * <p>Rules: a snapshot replaces the table when its last part arrived. A delta is applied only if it starts at our
 * revision and comes from the process that our table came from; otherwise there is a gap, and the stream is opened
 * again from our revision, or from nothing when that led to another gap. Within one process the revision never goes
 * back. A stream without event or beat for {@link #SILENCE} is opened again. Pauses grow and are jittered.
 *
 * <p>Used on one event loop, but for {@link #table()}, {@link #hasTable()} and {@link #age()}.
 */
public final class RoutingFollower {

    /** Three times the 5 s in which a server promises a beat. */
    public static final Duration SILENCE = Duration.ofSeconds(15);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    /**
     * What a follower gets from outside.
     *
     * @param clock monotonic clock
     * @param scheduler the event loop
     * @param random for pauses only
     * @param transport opens streams
     */
    public record Ports(Clock clock, Scheduler scheduler, RandomSource random, RoutingTransport transport) {}

    /** Hears of changes; called on the event loop, must not block. */
    public interface Listener {

        /** The table changed. */
        void changed(RoutingTable before, RoutingTable now);

        /** The stream ended, was silent or had a gap, and is opened again. */
        void interrupted(String why);
    }

    private final String namespace;
    private final Ports ports;
    private final Listener listener;
    private final Backoff backoff;

    // Read by request threads; written by the event loop.
    private volatile RoutingTable table = RoutingTable.EMPTY;
    private volatile long currentAt;
    private volatile boolean hasTable;

    private boolean closed;
    private long generation;
    private int gaps;
    private RoutingTable.@Nullable Builder building;
    private RoutingTransport.@Nullable RoutingStream stream;
    private Scheduler.@Nullable Timer timer;

    public RoutingFollower(String namespace, Ports ports, Listener listener) {
        this.namespace = namespace;
        this.ports = ports;
        this.listener = listener;
        this.backoff = new Backoff(ports.random(), FIRST_PAUSE, LONGEST_PAUSE);
    }

    /** Returns the newest table. Any thread; one volatile read. */
    public RoutingTable table() {
        return table;
    }

    /** Says whether a table was ever received. Any thread. */
    public boolean hasTable() {
        return hasTable;
    }

    /**
     * Returns how long ago the shard manager last said that the table is current. Any thread; only after
     * {@link #hasTable()}.
     */
    public Duration age() {
        return Duration.ofNanos(Math.max(0, ports.clock().nanoTime() - currentAt));
    }

    /** Opens the stream. */
    public void start() {
        connect();
    }

    /** Ends the stream; the table stays as it is. May be repeated. */
    public void close() {
        closed = true;
        disconnect();
    }

    private void connect() {
        disconnect();
        if (closed) {
            return;
        }
        long mine = generation;
        WatchRoutingRequest.Builder request = WatchRoutingRequest.newBuilder().setNamespace(namespace);
        // After a second gap in a row what we know does not help the server: start anew.
        if (gaps < 2) {
            request.setKnownIncarnation(table.incarnation()).setKnownRevision(table.revision());
        }
        stream = ports.transport().watch(request.build(), event -> onEvent(mine, event), fault -> onEnd(mine, fault));
        watchSilence();
    }

    private void disconnect() {
        generation++;
        building = null;
        if (stream != null) {
            stream.cancel();
            stream = null;
        }
        if (timer != null) {
            timer.cancel();
        }
    }

    private void reopen(String why) {
        disconnect();
        if (!closed) {
            listener.interrupted(why);
            timer = ports.scheduler().schedule(backoff.next(), this::connect);
        }
    }

    private void watchSilence() {
        if (timer != null) {
            timer.cancel();
        }
        timer = ports.scheduler().schedule(SILENCE, () -> reopen("nothing heard for " + SILENCE.toSeconds() + " s"));
    }

    private void onEnd(long from, Outcome.Fault fault) {
        if (from == generation) {
            stream = null;
            reopen(fault.message());
        }
    }

    private void onEvent(long from, RoutingEvent event) {
        if (from != generation) {
            return;
        }
        watchSilence();
        switch (event.getKindCase()) {
            case SNAPSHOT -> onSnapshot(event, event.getSnapshot());
            case DELTA -> onDelta(event, event.getDelta());
            case BEAT -> onBeat(event);
            // Absent means: nothing said.
            case KIND_NOT_SET -> {}
        }
    }

    private void onSnapshot(RoutingEvent event, RoutingSnapshot part) {
        if (part.getFirst()) {
            building = RoutingTable.EMPTY.change();
        }
        RoutingTable.@Nullable Builder builder = building;
        if (builder == null) {
            gap("a snapshot without its first part");
            return;
        }
        part.getExecutorsList().forEach(info -> builder.executor(Executor.of(info)));
        part.getShardsList().forEach(shard -> builder.shard(shard.getShardKey(), shard.getOwner(), shard.getEpoch()));
        if (!part.getLast()) {
            return;
        }
        building = null;
        if (event.getIncarnation().equals(table.incarnation())
                && Long.compareUnsigned(event.getRevision(), table.revision()) < 0) {
            gap("a snapshot of revision " + event.getRevision() + ", older than " + table.revision());
            return;
        }
        publish(builder.build(event.getIncarnation(), event.getRevision()));
    }

    private void onDelta(RoutingEvent event, RoutingDelta delta) {
        if (building != null || !continues(event, delta.getFromRevision())) {
            gap("a change from revision " + delta.getFromRevision() + " does not continue " + table.revision());
            return;
        }
        RoutingTable.Builder builder = table.change();
        delta.getExecutorsList().forEach(info -> builder.executor(Executor.of(info)));
        delta.getShardsList().forEach(shard -> builder.shard(shard.getShardKey(), shard.getOwner(), shard.getEpoch()));
        delta.getRemovedShardKeysList().forEach(builder::removeShard);
        delta.getRemovedExecutorIdsList().forEach(builder::removeExecutor);
        publish(builder.build(event.getIncarnation(), event.getRevision()));
    }

    private boolean continues(RoutingEvent event, long fromRevision) {
        return hasTable
                && event.getIncarnation().equals(table.incarnation())
                && fromRevision == table.revision()
                && Long.compareUnsigned(event.getRevision(), fromRevision) >= 0;
    }

    private void onBeat(RoutingEvent event) {
        boolean ours = hasTable && building == null && event.getIncarnation().equals(table.incarnation());
        if (ours && Long.compareUnsigned(event.getRevision(), table.revision()) >= 0) {
            backoff.reset();
            table = table.at(event.getRevision());
            currentAt = ports.clock().nanoTime();
        }
    }

    private void gap(String why) {
        gaps++;
        reopen(why);
    }

    private void publish(RoutingTable next) {
        RoutingTable before = table;
        gaps = 0;
        backoff.reset();
        currentAt = ports.clock().nanoTime();
        table = next;
        hasTable = true;
        listener.changed(before, next);
    }
}
