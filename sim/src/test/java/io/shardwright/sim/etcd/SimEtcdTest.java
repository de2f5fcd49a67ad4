package io.shardwright.sim.etcd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.domain.Outcome;
import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.KeyRange;
import io.shardwright.persistence.RangeRequest;
import io.shardwright.persistence.RangeResponse;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.StoreLeases.Lease;
import io.shardwright.persistence.Txn;
import io.shardwright.persistence.mvcc.Commit;
import io.shardwright.sim.kernel.Kernel;
import io.shardwright.sim.kernel.ProcessClock;
import io.shardwright.sim.kernel.SimProcess;
import io.shardwright.sim.kernel.SimRandom;
import io.shardwright.sim.network.Network;
import io.shardwright.sim.network.Wire;
import io.shardwright.sim.plan.Shape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What the simulated etcd does as the real one does; {@code EtcdStoreTest} holds the real one to the same. */
final class SimEtcdTest {

    private static final Duration TTL = Duration.ofSeconds(10);
    private static final Bytes KEY = Bytes.utf8("/shardwright/leader/1");

    private final TreeMap<String, Integer> counted = new TreeMap<>();
    private final Kernel kernel = new Kernel(1, new Kernel.Observer() {
        @Override
        public void ran(SimProcess process) {}

        @Override
        public void threw(SimProcess process, Throwable thrown) {
            throw new IllegalStateException(thrown);
        }
    });
    private final Network network = new Network(kernel, SimRandom.of(1, "network"), new Silence());
    private final SimEtcd etcd = new SimEtcd(kernel, network, SimRandom.of(1, "etcd"), new Counts());
    private final SimProcess replica = kernel.process("replica-0", ProcessClock.TRUE);
    private final Store store = etcd.client(replica, "replica-0/1");

    private final class Counts implements Commits {
        @Override
        public void committed(Commit commit) {}

        @Override
        public void wroteBy(String writer, Txn txn, long revision) {}

        @Override
        public void counted(String fact) {
            counted.merge(fact, 1, Integer::sum);
        }
    }

    private static final class Silence implements Wire {
        @Override
        public void sent(Packet packet) {}

        @Override
        public void delivered(Packet packet) {}

        @Override
        public void lost(Packet packet) {}

        @Override
        public void counted(String fact) {}
    }

    private void advance(Duration by) {
        kernel.runUntil(kernel.now() + by.toNanos(), () -> false);
    }

    private void entryOnALease() {
        replica.execute(() -> store.leases().grant(TTL.toSeconds(), granted -> {
            if (granted instanceof Outcome.Success<Lease>(Lease lease)) {
                store.txn(new Txn(List.of(), List.of(new Txn.Op.Put(KEY, KEY, lease.id())), List.of()), done -> {});
            }
        }));
        advance(Duration.ofSeconds(1));
        assertTrue(entryIsThere());
    }

    private boolean entryIsThere() {
        List<Integer> found = new ArrayList<>();
        replica.execute(() -> store.range(RangeRequest.of(KeyRange.single(KEY)), outcome -> {
            if (outcome instanceof Outcome.Success<RangeResponse>(RangeResponse response)) {
                found.add(response.kvs().size());
            }
        }));
        advance(Duration.ofMillis(500));
        return found.equals(List.of(1));
    }

    @Test
    void anEntryGoesWithItsLease() {
        entryOnALease();
        advance(TTL.plusSeconds(1));
        assertFalse(entryIsThere());
    }

    /** M23: a simulated etcd that did not do this would hide half of what makes fail-over slow. */
    @Test
    void aNewLeaderOfEtcdBeginsEveryLeaseAnewAndAddsAnElection() {
        entryOnALease();
        advance(TTL.minusSeconds(4));
        etcd.changeLeader(Duration.ofSeconds(1).toNanos());
        advance(TTL.plusMillis(500)); // from the change on; one election time-out is left
        assertTrue(entryIsThere());
        advance(Duration.ofSeconds(3));
        assertFalse(entryIsThere());
    }

    @Test
    void withoutALeaderNoLeaseEnds() {
        entryOnALease();
        etcd.changeLeader(TTL.multipliedBy(3).toNanos());
        advance(TTL.multipliedBy(3).plusSeconds(2));
        assertTrue(entryIsThere());
        advance(TTL.plusSeconds(3));
        assertFalse(entryIsThere());
    }

    @Test
    void withoutAMajorityNoLeaseEndsAndAllBeginAnewWhenItIsBack() {
        entryOnALease();
        etcd.stopMember(0);
        etcd.stopMember(1);
        advance(TTL.multipliedBy(3));
        etcd.startMember(0);
        etcd.startMember(1);
        advance(Duration.ofSeconds(5));
        assertTrue(entryIsThere());
        advance(TTL.plusSeconds(3));
        assertFalse(entryIsThere());
    }

    @Test
    void aResetConnectionLeavesWritesWithoutAnAnswerAndEndsWatches() {
        entryOnALease();
        List<Outcome<?>> answers = new ArrayList<>();
        replica.execute(() -> {
            store.txn(new Txn(List.of(), List.of(new Txn.Op.Put(KEY, KEY, 0)), List.of()), answers::add);
            for (String member : Shape.ETCD_MEMBERS) {
                etcd.reset(member, "replica-0");
            }
        });
        advance(Duration.ofSeconds(1));
        assertEquals(1, answers.size());
        assertTrue(answers.getFirst() instanceof Outcome.Unknown<?>, answers.toString());
        assertTrue(counted.getOrDefault("connection to etcd reset", 0) > 0, counted.toString());
    }

    @Test
    void aLossyLinkLosesCallsOfEtcd() {
        for (String member : Shape.ETCD_MEMBERS) {
            network.lossy("replica-0", member, 1);
        }
        assertFalse(entryIsThere());
        assertEquals(Map.of("call of etcd lost", 1), Map.copyOf(counted));
    }
}
