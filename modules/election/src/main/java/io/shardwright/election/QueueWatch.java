package io.shardwright.election;

import io.shardwright.domain.Outcome;
import io.shardwright.domain.Outcome.Fault;
import io.shardwright.domain.Scheduler;
import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.KeyRange;
import io.shardwright.persistence.KeyValue;
import io.shardwright.persistence.RangeRequest;
import io.shardwright.persistence.RangeResponse;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.WatchBatch;
import io.shardwright.persistence.WatchRequest;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Follows the campaign queue: one read, then a watch from the revision after it, which is resumed after the last
 * revision heard of, or begun again with a read when that one is compacted.
 *
 * <p>It watches all entries and not only the one before its own, because a standby also has to know who leads (R95);
 * the queue is as short as there are replicas. It reads anew every TTL, so that a change that a watch swallowed does
 * not stay unnoticed.
 */
final class QueueWatch {

    private static final System.Logger LOG = System.getLogger(QueueWatch.class.getName());

    private final ElectionPorts ports;
    private final ElectionSettings settings;
    private final KeyRange range;
    private final Listener listener;
    private final Backoff backoff;
    private final TreeMap<Bytes, KeyValue> entries = new TreeMap<>();
    private CampaignQueue queue = CampaignQueue.UNKNOWN;
    private Optional<Store.Watch> watch = Optional.empty();
    private Optional<Scheduler.Timer> nextRead = Optional.empty();
    private boolean reading;
    private boolean stopped;

    /** Hears of the queue. */
    interface Listener {

        /** The store answered; called before {@link #changed}. */
        void alive();

        /** The queue is known, or known to be another. */
        void changed(CampaignQueue queue);
    }

    QueueWatch(ElectionPorts ports, ElectionSettings settings, Listener listener) {
        this.ports = ports;
        this.settings = settings;
        this.range = KeyRange.prefix(Bytes.utf8(settings.name() + "/"));
        this.listener = listener;
        this.backoff = new Backoff(ports.random(), settings);
    }

    void start() {
        read();
    }

    CampaignQueue queue() {
        return queue;
    }

    KeyRange range() {
        return range;
    }

    void stop() {
        stopped = true;
        nextRead.ifPresent(Scheduler.Timer::cancel);
        watch.ifPresent(Store.Watch::cancel);
    }

    private void read() {
        if (stopped || reading) {
            return;
        }
        reading = true;
        long known = queue.revision();
        ports.store().range(RangeRequest.of(range), outcome -> {
            reading = false;
            if (stopped) {
                return;
            }
            switch (outcome) {
                case Outcome.Success<RangeResponse>(RangeResponse response) -> {
                    backoff.reset();
                    nextRead.ifPresent(Scheduler.Timer::cancel);
                    nextRead = Optional.of(ports.loop().schedule(settings.ttl(), this::read));
                    listener.alive();
                    take(response, known);
                }
                case Outcome.Failure<RangeResponse>(Fault fault) -> readAgain(fault);
                case Outcome.Unknown<RangeResponse>(Fault fault) -> readAgain(fault);
            }
        });
    }

    private void readAgain(Fault fault) {
        LOG.log(System.Logger.Level.DEBUG, "the election entries cannot be read: {0}", fault.message());
        nextRead.ifPresent(Scheduler.Timer::cancel);
        nextRead = Optional.of(ports.loop().schedule(backoff.next(), this::read));
    }

    /** @param known revision that the queue had when the read was sent */
    private void take(RangeResponse response, long known) {
        if (response.revision() < known) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "the store went back from revision {0} to {1}: it was wiped or restored",
                    known,
                    response.revision());
            watch.ifPresent(Store.Watch::cancel);
            watch = Optional.empty();
        } else if (response.revision() < queue.revision()) {
            return; // the watch was faster
        }
        entries.clear();
        response.kvs().forEach(kv -> entries.put(kv.key(), kv));
        boolean first = watch.isEmpty();
        publish(response.revision());
        if (first && !stopped) {
            watchOn();
        }
    }

    private void publish(long revision) {
        queue = CampaignQueue.of(revision, entries.values());
        listener.changed(queue);
    }

    private void watchOn() {
        watch.ifPresent(Store.Watch::cancel);
        watch = Optional.of(
                ports.store().watch(new WatchRequest(range, queue.revision() + 1), new Store.WatchListener() {
                    @Override
                    public void changed(WatchBatch batch) {
                        apply(batch);
                    }

                    @Override
                    public void ended(Fault fault) {
                        watchEnded(fault);
                    }
                }));
    }

    private void apply(WatchBatch batch) {
        if (stopped) {
            return;
        }
        backoff.reset();
        listener.alive();
        boolean changed = false;
        for (WatchBatch.Event event : batch.events()) {
            if (event.revision() <= queue.revision()) {
                continue; // a read was faster
            }
            changed = true;
            switch (event) {
                case WatchBatch.Event.Put(KeyValue kv) -> entries.put(kv.key(), kv);
                case WatchBatch.Event.Delete(Bytes key, long revision) -> entries.remove(key);
            }
        }
        if (changed) {
            publish(batch.revision());
        }
    }

    private void watchEnded(Fault fault) {
        if (stopped) {
            return;
        }
        LOG.log(System.Logger.Level.DEBUG, "the watch of the election ended: {0}", fault.message());
        watch = Optional.empty();
        if (fault.kind() == Fault.Kind.OUT_OF_RANGE) {
            read();
        } else {
            ports.loop().schedule(backoff.next(), () -> {
                if (!stopped && watch.isEmpty()) {
                    watchOn();
                }
            });
        }
    }
}
