package io.shardwright.persistence.differential;

import io.shardwright.persistence.Backend;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.memory.MemoryStore;
import io.shardwright.persistence.mvcc.EmbeddedSettings;
import java.util.function.UnaryOperator;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AddLifecycleHook;
import net.jqwik.api.lifecycle.AfterContainer;

/**
 * The memory store, which is the simulator's fake etcd, answers as a real etcd does; and the wrong stores, which show
 * that the test would notice.
 *
 * <p>{@value #SEQUENCES} sequences of up to {@value #COMMANDS} commands in each build, 10,000 with {@code -Psoak}.
 * Environment variable {@code SHARDWRIGHT_ETCD} chooses the etcd, for other versions.
 *
 * <p>What is compared is what the Store port can say, for the port is the contract. etcd has more, and nothing in
 * production asks for it: sort orders, count-only reads, bounds on mod and create revisions, compares over ranges,
 * nested transactions, puts that keep value or lease, previous values, lease ids chosen by the caller, filters,
 * progress notices and fragments of watches, serializable reads. What depends on the time is in
 * {@link LeaseTimePropertyTest}; the limit of request bytes, which the two count differently, has examples in
 * {@code StoreConformanceTest}.
 */
final class StoreDifferentialPropertyTest {

    static final int SEQUENCES = 200;
    static final int COMMANDS = 60;

    /** The shortest lease of an etcd with default settings. */
    private static final EmbeddedSettings AS_ETCD = EmbeddedSettings.DEFAULTS.withMinLeaseTtlSeconds(2);

    private static final RealEtcd ETCD = RealEtcd.start();

    @AfterContainer
    static void stopEtcd() {
        ETCD.close();
    }

    @Provide
    Arbitrary<Sequence> sequences() {
        return Commands.sequences(COMMANDS).map(Sequence::new);
    }

    @Property(tries = SEQUENCES, edgeCases = EdgeCasesMode.NONE)
    @AddLifecycleHook(Soak.class)
    void theMemoryStoreAnswersAsEtcdDoes(@ForAll("sequences") Sequence sequence) {
        compareWithEtcd(sequence, UnaryOperator.identity());
    }

    @Property(tries = SEQUENCES, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.OFF)
    @AddLifecycleHook(MustFail.class)
    void findsAnElseBranchThatDoesNotRun(@ForAll("sequences") Sequence sequence) {
        compareWithEtcd(sequence, Mutant.DROPS_THE_ELSE_BRANCH::around);
    }

    @Property(tries = SEQUENCES, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.OFF)
    @AddLifecycleHook(MustFail.class)
    void findsAPutThatForgetsItsLease(@ForAll("sequences") Sequence sequence) {
        compareWithEtcd(sequence, Mutant.PUTS_WITHOUT_THE_LEASE::around);
    }

    @Property(tries = SEQUENCES, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.OFF)
    @AddLifecycleHook(MustFail.class)
    void findsAWrongRelation(@ForAll("sequences") Sequence sequence) {
        compareWithEtcd(sequence, Mutant.COMPARES_GREATER_AS_DIFFERENT::around);
    }

    @Property(tries = SEQUENCES, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.OFF)
    @AddLifecycleHook(MustFail.class)
    void findsAWatchThatStartsOneRevisionLate(@ForAll("sequences") Sequence sequence) {
        compareWithEtcd(sequence, Mutant.WATCHES_ONE_REVISION_LATE::around);
    }

    @Property(tries = SEQUENCES, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.OFF)
    @AddLifecycleHook(MustFail.class)
    void findsAWatchThatStartsOneRevisionEarly(@ForAll("sequences") Sequence sequence) {
        compareWithEtcd(sequence, Mutant.WATCHES_ONE_REVISION_EARLY::around);
    }

    @Property(tries = SEQUENCES, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.OFF)
    @AddLifecycleHook(MustFail.class)
    void findsALostEvent(@ForAll("sequences") Sequence sequence) {
        compareWithEtcd(sequence, Mutant.LOSES_THE_LAST_EVENT_OF_A_BATCH::around);
    }

    @Property(tries = SEQUENCES, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.OFF)
    @AddLifecycleHook(MustFail.class)
    void findsAWrongCount(@ForAll("sequences") Sequence sequence) {
        compareWithEtcd(sequence, Mutant.COUNTS_ONLY_WHAT_IT_RETURNS::around);
    }

    @Property(tries = SEQUENCES, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.OFF)
    @AddLifecycleHook(MustFail.class)
    void findsACompactionThatDoesNothing(@ForAll("sequences") Sequence sequence) {
        compareWithEtcd(sequence, Mutant.NEVER_COMPACTS::around);
    }

    /** Against a right memory store, because that is a thousand times as fast. */
    @Property(tries = SEQUENCES, edgeCases = EdgeCasesMode.NONE)
    @AddLifecycleHook(MustFail.class)
    void whatIsFoundShrinksToAFewCommands(@ForAll("sequences") Sequence sequence) {
        Backend right = Backend.virtual();
        try (Store store = MemoryStore.open(AS_ETCD, right.clock(), right.loop());
                Subject subject = new Subject("right", right, store)) {
            compare(subject, sequence, Mutant.PUTS_WITHOUT_THE_LEASE::around);
        }
    }

    private static void compareWithEtcd(Sequence sequence, UnaryOperator<Store> change) {
        try (Subject real = new Subject("etcd", ETCD.backend(), ETCD.store())) {
            compare(real, sequence, change);
        }
    }

    private static void compare(Subject real, Sequence sequence, UnaryOperator<Store> change) {
        Backend virtual = Backend.virtual();
        try (Store memory = change.apply(MemoryStore.open(AS_ETCD, virtual.clock(), virtual.loop()));
                Subject fake = new Subject("memory", virtual, memory)) {
            Comparison.run(fake, real, sequence);
        }
    }
}
