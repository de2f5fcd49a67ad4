package io.shardwright.election;

import io.shardwright.domain.Outcome;
import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.KeyValue;
import io.shardwright.persistence.StoreLeases.Lease;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Finds out whether another live process advertises the address of this one (R31 to R35). Callers that are sent to such
 * an address end at either of the two.
 *
 * <p>An entry with our address may be what an earlier process of this machine left behind: its lease only runs down,
 * whatever its length, and is waited out. That a lease is renewed is proven by its end, which then moves later; twice,
 * because a new leader of the store gives each lease its time anew, and with no such change in between where the store
 * says so. Only older entries are looked at, so that of two processes the one that came later stops.
 */
final class SameAddress {

    private static final System.Logger LOG = System.getLogger(SameAddress.class.getName());

    private static final Duration PERIOD = Duration.ofSeconds(1);
    private static final long SECOND = PERIOD.toNanos();
    private static final int PROOF = 2;

    private final ElectionPorts ports;
    private final Consumer<String> found;
    private final TreeMap<Bytes, Observed> observed = new TreeMap<>();
    private boolean looking;
    private boolean stopped;

    /** What is known of the lease of an entry. */
    private static final class Observed {
        private final KeyValue entry;
        private final ElectionEntry said;
        private boolean known;
        private long latestEnd;
        private long leaderTerm;
        private int moves;

        Observed(KeyValue entry, ElectionEntry said) {
            this.entry = entry;
            this.said = said;
        }

        /** @return whether it is proven that a live process renews the lease */
        boolean look(Lease lease, long sentAt, long answeredAt) {
            // What is left is told in whole seconds, rounded either way, for some moment between the two.
            long earliest = sentAt + (lease.ttlSeconds() - 1) * SECOND;
            long latest = answeredAt + (lease.ttlSeconds() + 1) * SECOND;
            if (!known || lease.leaderTerm() != leaderTerm) {
                known = true;
                leaderTerm = lease.leaderTerm();
                latestEnd = latest;
                moves = 0;
            } else if (earliest - latestEnd > 0) {
                latestEnd = latest;
                moves++;
            } else if (latest - latestEnd < 0) {
                latestEnd = latest;
            }
            return moves >= PROOF;
        }
    }

    /** @param found called once on the event loop with what was found */
    SameAddress(ElectionPorts ports, Consumer<String> found) {
        this.ports = ports;
        this.found = found;
    }

    /** The queue is another one. */
    void queueChanged(CampaignQueue queue, LeaderAddress own, String incarnation) {
        TreeMap<Bytes, Observed> now = new TreeMap<>();
        for (KeyValue kv : queue.entries()) {
            Optional<ElectionEntry> entry = ElectionEntry.decode(kv.value());
            if (entry.filter(it -> it.incarnation().equals(incarnation)).isPresent()) {
                break; // whoever came later stops by itself
            }
            entry.filter(it -> it.candidate().address().equals(own))
                    .ifPresent(it -> now.put(
                            kv.key(),
                            Optional.ofNullable(observed.get(kv.key())).orElseGet(() -> new Observed(kv, it))));
        }
        observed.clear();
        observed.putAll(now);
        lookLater(Duration.ZERO);
    }

    void stop() {
        stopped = true;
        observed.clear();
    }

    private void lookLater(Duration pause) {
        if (!looking && !observed.isEmpty()) {
            looking = true;
            ports.loop().schedule(pause, this::look);
        }
    }

    private void look() {
        long sentAt = ports.clock().nanoTime();
        looking = false;
        for (Observed each : List.copyOf(observed.values())) {
            ports.store().leases().timeToLive(each.entry.leaseId(), outcome -> {
                // Without an answer nothing is known; the next look asks again.
                if (outcome instanceof Outcome.Success<Lease>(Lease lease)
                        && !stopped
                        && each.look(lease, sentAt, ports.clock().nanoTime())) {
                    tell(each);
                }
            });
        }
        lookLater(PERIOD);
    }

    private void tell(Observed other) {
        stop();
        String message = other.said.candidate().identity() + " advertises "
                + other.said.candidate().address()
                + " too, and lives: it renewed the lease of its election entry " + other.entry.key()
                + "; give each server its own grpc.advertised-host and grpc.advertised-port";
        LOG.log(System.Logger.Level.ERROR, message);
        found.accept(message);
    }
}
