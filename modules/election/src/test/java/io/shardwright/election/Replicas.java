package io.shardwright.election;

import io.shardwright.domain.Outcome;
import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.KeyRange;
import io.shardwright.persistence.KeyValue;
import io.shardwright.persistence.RangeRequest;
import io.shardwright.persistence.RangeResponse;
import io.shardwright.persistence.memory.MemoryStore;
import io.shardwright.persistence.mvcc.EmbeddedStore;
import io.shardwright.testkit.SeededRandom;
import io.shardwright.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Replicas that campaign on one store. */
final class Replicas {

    static final ElectionSettings SETTINGS = ElectionSettings.under("/shardwright/");
    static final Duration TTL = SETTINGS.ttl();
    private static final KeyRange ENTRIES = KeyRange.prefix(Bytes.utf8("/shardwright/leader/"));

    final VirtualTime time = new VirtualTime();
    final EmbeddedStore store = MemoryStore.open(time, time);
    /** Of the replicas that are made from now on. */
    ElectionSettings settings;

    private long seed;

    Replicas() {
        this(SETTINGS, 1);
    }

    Replicas(ElectionSettings settings, long seed) {
        this.settings = settings;
        this.seed = seed;
    }

    /** Starts a replica whose calls meet no fault, and lets it come to rest. */
    Replica start(String name) {
        Replica replica = prepare(name, 1);
        replica.campaign();
        advance(Duration.ofMillis(10));
        return replica;
    }

    /** Starts a replica of another version. */
    Replica start(String name, String version) {
        Replica replica = new Replica(name, 1, version);
        replica.campaign();
        advance(Duration.ofSeconds(1));
        return replica;
    }

    /** Makes a replica that does not campaign yet. */
    Replica prepare(String name, double clockRate) {
        return new Replica(name, clockRate, "1.0.0");
    }

    /** Starts a process that advertises the address of another one. */
    Replica startAt(String name, String address) {
        Replica replica = new Replica(name, 1, "1.0.0", address);
        replica.campaign();
        advance(Duration.ofMillis(10));
        return replica;
    }

    void advance(Duration by) {
        time.advance(by);
    }

    List<KeyValue> entries() {
        List<KeyValue> entries = new ArrayList<>();
        store.range(RangeRequest.of(ENTRIES), outcome -> {
            if (outcome instanceof Outcome.Success<RangeResponse>(RangeResponse response)) {
                entries.addAll(response.kvs());
            }
        });
        time.runUntilIdle();
        return CampaignQueue.of(0, entries).entries();
    }

    /** One replica and what it heard. */
    final class Replica implements Election.Listener {
        final String name;
        final TestProcess process;
        final FaultyStore calls;
        final LeaseElection election;
        final List<Long> entered = new ArrayList<>();
        final List<Term> terms = new ArrayList<>();
        Optional<Term> term = Optional.empty();
        int resigned;
        String refusal = "";

        private Replica(String name, double clockRate, String version) {
            this(name, clockRate, version, name);
        }

        private Replica(String name, double clockRate, String version, String address) {
            this.name = name;
            this.process = new TestProcess(time, clockRate);
            this.calls = new FaultyStore(store, process);
            this.election = new LeaseElection(
                    new ElectionPorts(process, process, new SeededRandom(seed++), calls),
                    settings,
                    new Candidate(name, new LeaderAddress(address + ".example", 9002), version));
        }

        void campaign() {
            process.execute(() -> election.campaign("incarnation-of-" + name, this));
        }

        void resign() {
            process.execute(() -> election.resign(() -> resigned++));
        }

        void ready() {
            process.execute(() -> term.ifPresent(election::ready));
            time.runUntilIdle();
        }

        /** What a call of the control plane would ask: by the clock of the process, whatever its timers did. */
        boolean believes() {
            return term.filter(now -> now.believes(process.nanoTime())).isPresent();
        }

        boolean leads() {
            return term.isPresent();
        }

        @Override
        public void entered(long revision) {
            entered.add(revision);
        }

        @Override
        public void elected(Term won) {
            terms.add(won);
            term = Optional.of(won);
        }

        @Override
        public void ended(Term over) {
            if (!term.equals(Optional.of(over))) {
                throw new AssertionError(name + " ended " + over + " but has " + term);
            }
            term = Optional.empty();
        }

        @Override
        public void refused(String why) {
            if (!refusal.isEmpty()) {
                throw new AssertionError(name + " is refused twice");
            }
            refusal = why;
        }
    }
}
