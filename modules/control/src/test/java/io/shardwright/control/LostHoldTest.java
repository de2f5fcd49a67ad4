package io.shardwright.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.domain.Namespace;
import io.shardwright.domain.Outcome;
import io.shardwright.domain.ShardKey;
import io.shardwright.election.SessionBelief;
import io.shardwright.persistence.ForwardingStore;
import io.shardwright.persistence.RangeRequest;
import io.shardwright.persistence.RangeResponse;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.Txn;
import io.shardwright.persistence.TxnResponse;
import io.shardwright.persistence.WatchBatch;
import io.shardwright.persistence.WatchRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A process whose database session ended, and which does not hear of it: the next process has the store already. */
@Tag("R179")
class LostHoldTest {

    private static final List<Namespace> TWELVE = List.of(Cluster.fixedNamespace(12));

    private final Cluster cluster = Cluster.fixed(12);
    private final CutStore cut = new CutStore(cluster.store);
    private long provenAt;

    /** The process that is cut off later leads; it proves its hold whenever a test says so. */
    @BeforeEach
    void leadBySession() {
        cluster.beliefs = () -> new SessionBelief(() -> provenAt);
        cluster.seen = cut;
        prove();
        cluster.crashAndRestart(TWELVE);
    }

    private void prove() {
        provenAt = cluster.time.nanoTime();
    }

    private Reply.Refusal renewalRefused(ModelExecutor executor) {
        return cluster.refused((Call<Answers.Renewed> call) ->
                cluster.plane.renew(Cluster.NS, executor.caller, 1_000, executor.claims(), call));
    }

    @Test
    void aLeaderThatCannotProveItsHoldOfTheStoreConfirmsNoLease() {
        ModelExecutor a = cluster.join("a");
        prove();
        cluster.time.advance(SessionBelief.LENGTH.minusMillis(1));
        assertTrue(a.renew().confirmed());
        cluster.time.advance(Duration.ofMillis(1));
        assertInstanceOf(Reply.Refusal.NotLeading.class, renewalRefused(a));
    }

    @Test
    void aLeaderWhoseDatabaseAnswersAgainLeadsAgain() {
        ModelExecutor a = cluster.join("a");
        prove();
        cluster.time.advance(SessionBelief.LENGTH);
        assertInstanceOf(Reply.Refusal.NotLeading.class, renewalRefused(a));
        prove();
        cluster.time.advance(Duration.ofSeconds(1));
        assertTrue(a.renew().confirmed(), "what it holds is what is stored");
        assertEquals(Map.of("a", 12), cluster.counts());
    }

    @Test
    void noShardRunsTwiceWhileAnOldLeaderDoesNotKnowThatItLostTheStore() {
        ModelExecutor a = cluster.join("a");
        prove();
        cut.off = true;
        ControlPlane old = cluster.plane;
        cluster.seen = cluster.store;
        cluster.beliefs = () -> new SessionBelief(cluster.time::nanoTime);
        ControlPlane next = cluster.start(TWELVE);
        cluster.plane = next;
        ModelExecutor b = cluster.join("b");

        // a still talks to the old process and renews as late as it is let.
        cluster.plane = old;
        while (true) {
            Reply<Answers.Renewed> reply =
                    cluster.call((Call<Answers.Renewed> call) -> old.renew(Cluster.NS, a.caller, 0, a.claims(), call));
            if (reply instanceof Reply.Refused<Answers.Renewed>) {
                break;
            }
            a.renew();
            cluster.time.advance(Duration.ofMillis(100));
        }
        ShardKey shard = a.set.firstKey();
        long runsUntil = a.runUntil.getOrDefault(shard, Long.MAX_VALUE);
        cluster.plane = next;
        while (!b.set.containsKey(shard)) {
            cluster.time.advance(Duration.ofMillis(100));
            b.renew();
            assertTrue(
                    cluster.time.nanoTime() - runsUntil < Duration.ofMinutes(1).toNanos(), "b never gets it");
        }
        assertTrue(
                cluster.time.nanoTime() - runsUntil >= 0,
                "b was told to run " + shard + " " + (runsUntil - cluster.time.nanoTime()) / 1_000_000
                        + " ms before a stops");
    }

    @Test
    void aSuccessorWaitsNoLongerThanItMust() {
        cluster.join("a");
        ModelExecutor b = cluster.join("b");
        prove();
        cluster.crashAndRestart(TWELVE);
        for (int i = 0; i < 19; i++) {
            prove();
            cluster.time.advance(Duration.ofSeconds(1));
            b.renew();
        }
        assertEquals(Map.of("a", 6, "b", 6), cluster.counts());
        cluster.time.advance(Duration.ofSeconds(1));
        prove();
        b.renew();
        cluster.time.advance(Duration.ofMillis(100));
        assertEquals(Map.of("b", 12), cluster.counts());
    }

    /** A store that, once it is cut off, takes everything and says nothing: neither an answer nor its end. */
    private static final class CutStore extends ForwardingStore {

        boolean off;

        CutStore(Store store) {
            super(store);
        }

        @Override
        public void range(RangeRequest request, Consumer<Outcome<RangeResponse>> answer) {
            if (!off) {
                super.range(request, answer);
            }
        }

        @Override
        public void txn(Txn txn, Consumer<Outcome<TxnResponse>> answer) {
            if (!off) {
                super.txn(txn, answer);
            }
        }

        @Override
        public Watch watch(WatchRequest request, WatchListener listener) {
            return super.watch(request, new WatchListener() {
                @Override
                public void changed(WatchBatch batch) {
                    if (!off) {
                        listener.changed(batch);
                    }
                }

                @Override
                public void ended(Outcome.Fault fault) {
                    if (!off) {
                        listener.ended(fault);
                    }
                }
            });
        }
    }
}
