package io.shardwright.sim.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.Txn;
import io.shardwright.sim.kernel.SimProcess;
import io.shardwright.sim.plan.Plan;
import io.shardwright.sim.plan.Shape;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The digest tells runs apart that do the same things at the same times with other contents. */
final class DigestContentTest {

    private static final Plan PLAN = new Plan(
            1,
            new Shape(1, 2, 1, 0, 4, Duration.ofSeconds(5), Duration.ofSeconds(20), Duration.ofSeconds(1)),
            List.of());

    /** Writes, besides all else, a value that nobody reads. */
    private static Wiring writing(String value) {
        return new Wiring() {
            @Override
            public Store store(SimProcess replica, Store real) {
                Txn.Op put = new Txn.Op.Put(Bytes.utf8("/elsewhere"), Bytes.utf8(value), 0);
                replica.schedule(
                        Duration.ofSeconds(10),
                        () -> real.txn(new Txn(List.of(), List.of(put), List.of()), outcome -> {}));
                return real;
            }
        };
    }

    @Test
    void runsWithTheSameTimesAndRevisionsButOneOtherStoredByteHaveOtherDigests() {
        Simulation.Result one = new Simulation(PLAN, writing("value 1")).run();
        Simulation.Result same = new Simulation(PLAN, writing("value 1")).run();
        Simulation.Result other = new Simulation(PLAN, writing("value 2")).run();

        assertEquals(one.digest(), same.digest());
        assertEquals(one.violation(), other.violation());
        assertEquals(one.steps(), other.steps());
        assertEquals(one.nanos(), other.nanos());
        assertEquals(one.facts().counts(), other.facts().counts());
        assertNotEquals(one.digest(), other.digest());
    }
}
