package io.shardwright.persistence.differential;

import io.shardwright.domain.Outcome;
import io.shardwright.domain.Outcome.Fault;
import io.shardwright.persistence.Backend;
import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.KeyRange;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.StoreCalls;
import io.shardwright.persistence.StoreLeases.Lease;
import io.shardwright.persistence.Txn;
import io.shardwright.persistence.Txn.Op;
import io.shardwright.persistence.WatchBatch;
import io.shardwright.persistence.WatchBatch.Event;
import io.shardwright.persistence.WatchRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One lease from its grant to the deletion of its key, and what it did that a lease may not do. All on the loop, by the
 * clock of the loop: a call took effect between its start and its answer.
 */
final class LeaseLife {

    /** How etcd and the embedded stores look for ended leases. */
    private static final Duration SCAN = Duration.ofMillis(500);

    /**
     * What is done to a lease.
     *
     * @param ttlSeconds asked for
     * @param gaps before each keep-alive, after the grant or the one before
     */
    record Schedule(long ttlSeconds, List<Duration> gaps) {
        Schedule {
            gaps = List.copyOf(gaps);
        }
    }

    private final Backend backend;
    private final Store store;
    private final Schedule schedule;
    private final Bytes key;
    private final Duration slack;
    private final List<String> faults = new ArrayList<>();
    private long id;
    private long grantedSeconds;

    /** When the lease began anew, at the earliest and at the latest. */
    private long startedAfter;

    private long startedBefore;
    private volatile boolean over;

    /**
     * Makes a lease that {@link #begin} starts.
     *
     * @param slack by how much a busy machine may be late; nothing may be early
     */
    LeaseLife(Backend backend, Store store, Schedule schedule, Bytes key, Duration slack) {
        this.backend = backend;
        this.store = store;
        this.schedule = schedule;
        this.key = key;
        this.slack = slack;
    }

    /** Runs on the loop. */
    void begin() {
        long sent = now();
        store.leases().grant(schedule.ttlSeconds(), outcome -> {
            Lease lease = StoreCalls.expect(outcome);
            id = lease.id();
            grantedSeconds = lease.grantedTtlSeconds();
            startedAfter = sent;
            startedBefore = now();
            expect(grantedSeconds == Math.max(2, schedule.ttlSeconds()), "granted " + grantedSeconds + " s");
            attach();
        });
    }

    private void attach() {
        Txn put = new Txn(List.of(), List.of(new Op.Put(key, Bytes.EMPTY, id)), List.of());
        store.txn(put, outcome -> {
            long revision = StoreCalls.expect(outcome).revision();
            store.watch(new WatchRequest(KeyRange.single(key), revision + 1), new Store.WatchListener() {
                @Override
                public void changed(WatchBatch batch) {
                    batch.events().forEach(LeaseLife.this::deleted);
                }

                @Override
                public void ended(Fault fault) {
                    faults.add("watch ended: " + fault);
                }
            });
            keepAlive(0);
        });
    }

    private void keepAlive(int index) {
        if (index == schedule.gaps().size()) {
            return;
        }
        backend.loop().schedule(schedule.gaps().get(index), () -> {
            long sent = now();
            store.leases().keepAlive(id, outcome -> {
                kept(sent, outcome);
                keepAlive(index + 1);
            });
        });
    }

    private void kept(long sent, Outcome<Lease> outcome) {
        switch (outcome) {
            case Outcome.Success<Lease>(Lease lease) -> {
                expect(!over && sent < startedBefore + granted(), "was kept alive after its end");
                expect(lease.ttlSeconds() == grantedSeconds, "was restarted with " + lease.ttlSeconds() + " s");
                startedAfter = sent;
                startedBefore = now();
            }
            case Outcome.Failure<Lease>(Fault fault) -> {
                expect(now() >= startedAfter + granted(), "was refused a keep-alive before its end");
                expect(fault.kind() == Fault.Kind.NOT_FOUND, "was refused as " + fault.kind());
            }
            case Outcome.Unknown<Lease>(Fault fault) -> faults.add("unknown keep-alive: " + fault);
        }
    }

    private void deleted(Event event) {
        expect(event instanceof Event.Delete, "its key was written: " + event);
        expect(!over, "its key was deleted twice");
        expect(now() >= startedAfter + granted(), "its key was deleted early");
        expect(now() <= startedBefore + granted() + SCAN.plus(slack).toNanos(), "its key was deleted late");
        over = true;
    }

    private long granted() {
        return Duration.ofSeconds(grantedSeconds).toNanos();
    }

    private long now() {
        return backend.clock().nanoTime();
    }

    private void expect(boolean kept, String fault) {
        if (!kept) {
            faults.add("lease of " + key + " " + fault + " (" + schedule + ")");
        }
    }

    boolean isOver() {
        return over;
    }

    /** Returns what was wrong. Runs on the loop. */
    List<String> faults() {
        expect(over, "never ended");
        return faults;
    }

    /** Returns how long such a lease may take until its key is gone. */
    Duration atMost() {
        Duration alive = schedule.gaps().stream().reduce(Duration.ZERO, Duration::plus);
        return alive.plusSeconds(Math.max(2, schedule.ttlSeconds())).plus(SCAN).plus(slack);
    }
}
