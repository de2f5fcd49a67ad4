package io.shardwright.sim.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Plans that were written down are runs of these very numbers: who changes what is drawn changes all of them. */
final class SimRandomTest {

    @Test
    void theStreamOfASeedAndANameIsFrozen() {
        SimRandom random = SimRandom.of(42, "net");

        assertEquals(
                List.of(0xB807062452AEBE69L, 0x942F36404A03839CL, 0xB57D007E8689BFC9L),
                LongStream.generate(random::nextLong).limit(3).boxed().toList());
        assertEquals(
                List.of(919, 51, 908),
                IntStream.generate(() -> random.nextInt(1000)).limit(3).boxed().toList());
        assertEquals(
                List.of(614798345L, 758966553L, 464951910L),
                LongStream.generate(() -> random.between(-5, 1_000_000_000L))
                        .limit(3)
                        .boxed()
                        .toList());
        assertEquals(0.6127154235678569, random.nextDouble());
        assertEquals(0.7569372014695414, random.nextDouble());
        assertEquals(220_037, random.exponential(300_000));
        assertEquals(14_784, random.exponential(300_000));
        assertEquals(
                List.of(true, false, true, true, false, true, false, false),
                IntStream.range(0, 8).mapToObj(i -> random.chance(0.5)).toList());
    }

    private static List<Long> first(SimRandom random) {
        return LongStream.generate(random::nextLong).limit(5).boxed().toList();
    }

    @Test
    void twoNamesAreTwoStreamsAndSoAreTwoSeeds() {
        List<Long> net = first(SimRandom.of(1, "net"));

        assertEquals(net, first(SimRandom.of(1, "net")));
        assertNotEquals(net, first(SimRandom.of(1, "ten")));
        assertNotEquals(net, first(SimRandom.of(1, "net:")));
        assertNotEquals(net, first(SimRandom.of(2, "net")));
    }

    @Test
    void aNewUserOfRandomNumbersDoesNotChangeWhatTheOthersDraw() {
        List<Long> alone = first(SimRandom.of(1, "net"));

        SimRandom before = SimRandom.of(1, "a new one");
        SimRandom net = SimRandom.of(1, "net");
        before.nextLong();
        long firstOfNet = net.nextLong();
        SimRandom.of(1, "faults").nextLong();
        before.nextLong();

        assertEquals(alone.get(0), firstOfNet);
        assertEquals(alone.get(1), net.nextLong());
    }

    @Test
    void numbersStayWithinTheirBounds() {
        SimRandom random = SimRandom.of(3, "bounds");
        for (int i = 0; i < 10_000; i++) {
            int index = random.nextInt(3);
            long number = random.between(-2, 2);
            double fraction = random.nextDouble();
            assertTrue(index >= 0 && index < 3);
            assertTrue(number >= -2 && number <= 2);
            assertTrue(fraction >= 0 && fraction < 1);
            assertTrue(random.exponential(10) >= 0);
        }
        assertThrows(IllegalArgumentException.class, () -> random.nextInt(0));
    }

    /** A fault that is off must not shift what is drawn afterwards. */
    @Test
    void whatIsImpossibleDrawsNothing() {
        SimRandom random = SimRandom.of(1, "net");

        assertEquals(false, random.chance(0));

        assertEquals(first(SimRandom.of(1, "net")), first(random));
    }
}
