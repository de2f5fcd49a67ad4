package io.shardwright.client.fence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shardwright.testkit.TestEtcd;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The fence in a real etcd. Each test has shards of its own. */
@Timeout(60)
@SuppressWarnings("NullAway.Init") // set before the first test
class EtcdFenceTest {

    private static TestEtcd etcd;
    private static FencedStorage first;
    private static FencedStorage second;

    @BeforeAll
    static void start() throws Exception {
        etcd = TestEtcd.start();
        first = FencedStorage.connect(etcd.endpoint(), "e1/p1");
        second = FencedStorage.connect(etcd.endpoint(), "e2/p2");
    }

    @AfterAll
    static void stop() {
        first.close();
        second.close();
        etcd.close();
    }

    @Test
    void theCurrentOwnerWrites() throws Exception {
        int before = first.lines();
        first.open("current", 3);
        first.write("current", 3);
        first.open("current", 3);
        first.write("current", 3);
        assertEquals(before + 2, first.lines());
    }

    @Test
    @Tag("R162")
    void anOlderEpochIsRefusedAndNothingIsWritten() throws Exception {
        first.open("older", 3);
        second.open("older", 4);
        int before = first.lines();
        assertThrows(StaleEpochException.class, () -> first.write("older", 3));
        assertThrows(StaleEpochException.class, () -> first.open("older", 3));
        assertEquals(before, first.lines());
        second.write("older", 4);
    }

    @Test
    void theSameEpochOfAnotherOwnerIsRefused() throws Exception {
        first.open("same", 3);
        assertThrows(StaleEpochException.class, () -> second.open("same", 3));
        assertThrows(StaleEpochException.class, () -> second.write("same", 3));
    }

    @Test
    @Tag("R163")
    void aFenceThatWasNeverOpenedLetsNobodyWrite() {
        assertThrows(StaleEpochException.class, () -> first.write("never-opened", 1));
    }
}
