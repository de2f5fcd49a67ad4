package io.shardwright.sim.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

final class PlanParserTest {

    private static final String SETTINGS = """
            seed = 7
            replicas = 3
            executors = 8
            spectators = 1
            ephemerals = 2
            shards = 4
            lease = PT15S
            faulty = PT1M
            quiet = PT0S
            """;

    /** The first line after the settings. */
    private static Fault fault(String line) {
        return Plan.parse(SETTINGS + line + "\n").faults().getFirst();
    }

    private static void assertRefused(String text, String... parts) {
        String message = String.valueOf(assertThrows(IllegalArgumentException.class, () -> Plan.parse(text))
                .getMessage());
        for (String part : parts) {
            assertTrue(message.contains(part), message);
        }
    }

    private static void assertFaultRefused(String line, String... parts) {
        assertRefused(SETTINGS + line + "\n", parts);
        assertRefused(SETTINGS + line + "\n", "line 10: ");
    }

    private static void assertSettingRefused(String before, String after, String... parts) {
        assertRefused(SETTINGS.replace(before, after), parts);
    }

    @Test
    void everyPlanThatIsDrawnReadsBackAsItself() {
        for (Profile profile : Profile.values()) {
            for (long seed = 1; seed <= 50; seed++) {
                Plan plan = profile.plan(seed);
                assertEquals(plan, Plan.parse(plan.text()));
            }
        }
    }

    @Test
    void theFractionOfATimeIsDecimal() {
        assertEquals(
                2_500_500_000L, fault("2500.5ms +2500ms PAUSE executor-0 0").start());
        assertEquals(
                2_500_000_000L, fault("2500.5ms +2500ms PAUSE executor-0 0").length());
        assertEquals(1L, fault("0.000001ms +0.0ms PAUSE executor-0 0").start());
    }

    @Test
    void aTimeInAnotherFormIsRefused() {
        assertFaultRefused("2.5s +1ms PAUSE executor-0 0", "start '2.5s' must be milliseconds", "2500.5ms");
        assertFaultRefused("1.1234567ms +1ms PAUSE executor-0 0", "start '1.1234567ms'", "6 decimals");
        assertFaultRefused("1ms 5ms PAUSE executor-0 0", "length '5ms' must be", "+2500ms");
        assertFaultRefused("-1ms +1ms PAUSE executor-0 0", "start '-1ms'");
        assertFaultRefused("99999999999999999999ms +1ms PAUSE executor-0 0", "start '99999999999999999999ms'");
    }

    @Test
    void aMachineThatIsNotThereIsRefusedWithThoseThatAre() {
        assertFaultRefused("1ms +1ms PAUSE executor-8 0", "PAUSE names 'executor-8'", "executor-0 to executor-7");
        assertFaultRefused("1ms +1ms CUT replca-0 executor-0 0", "'replca-0'", "replica-0 to replica-2", "etcd-0");
        assertFaultRefused("1ms +1ms ETCD_MEMBER etcd0 0", "'etcd0'", "it takes etcd-0 to etcd-2");
        assertFaultRefused("1ms +1ms UPGRADE executor-0 1", "'executor-0'", "it takes replica-0 to replica-2");
        assertFaultRefused("1ms +1ms SLOW_SHARDS replica-0 1", "'replica-0'", "it takes executor-0 to executor-7");
        assertFaultRefused("1ms +1ms KILL executor-00 0", "'executor-00'");
        assertFaultRefused("1ms +1ms KILL spectator-1 0", "'spectator-1'", "spectator-0,");
    }

    @Test
    void etcdStorageTwinsAndTheOperatorAreMachinesWhereTheyAreThere() {
        String drain = "1ms +1ms DRAIN_SHARD 0\n";
        String twin = "1ms +9000ms TWIN executor-0 0.25\n";

        assertEquals(List.of("etcd-2"), fault("1ms +1ms ETCD_MEMBER etcd-2 0").targets());
        assertEquals(
                "storage",
                fault("1ms +1ms CUT_ONE_WAY ephemeral-1 storage 0").targets().getLast());
        assertEquals(
                2,
                Plan.parse(SETTINGS + drain + "1ms +1ms KILL operator 0\n")
                        .faults()
                        .size());
        assertFaultRefused("1ms +1ms KILL operator 0", "'operator'");
        assertEquals(
                2,
                Plan.parse(SETTINGS + twin + "2ms +1ms KILL executor-0-twin 0\n")
                        .faults()
                        .size());
        assertEquals(
                2,
                Plan.parse(SETTINGS + twin + "0ms +9ms CUT executor-0-twin etcd-0 0\n")
                        .faults()
                        .size());
        assertRefused(SETTINGS + twin + "1ms +1ms KILL executor-0-twin 0\n", "line 11: ", "only after the TWIN");
        assertFaultRefused("2ms +1ms KILL executor-0-twin 0", "'executor-0-twin'");
        assertRefused(SETTINGS + twin + "2ms +1ms TWIN executor-0-twin 0\n", "line 11: ", "'executor-0-twin'");
    }

    @Test
    void anAmountThatItsKindCannotDoIsRefusedWithItsRule() {
        assertFaultRefused(
                "1ms +1ms CLOCK_RATE executor-0 0.0", "amount 0.0 of CLOCK_RATE must be", "from 0.11 to 9.9");
        assertFaultRefused("1ms +1ms CLOCK_RATE executor-0 -1", "amount -1.0 of CLOCK_RATE");
        assertFaultRefused("1ms +1ms LOSS executor-0 replica-0 1.5", "a probability from 0 to 1");
        assertFaultRefused("1ms +1ms ETCD_STALE NaN", "amount NaN of ETCD_STALE");
        assertFaultRefused("1ms +1ms DELAY executor-0 replica-0 -5", "milliseconds from 0 to");
        assertFaultRefused("1ms +1ms BANDWIDTH executor-0 replica-0 0", "bytes per second from 1 to");
        assertFaultRefused("1ms +1ms CONFIGURE replica-0 0.5", "seconds from 1 to 3600");
        assertFaultRefused("1ms +1ms KILL executor-0 soon", "amount 'soon' must be a number");
        assertEquals(-5, fault("1ms +0ms WALL_STEP executor-0 -5").amount());
    }

    @Test
    void whatIsNoFaultIsRefusedWithWhatWouldBe() {
        assertFaultRefused("12ms +1ms BREAK executor-0 0", "'BREAK' is no kind of fault", "KILL");
        assertFaultRefused("hello", "'hello' is no fault and no setting", "<start>ms +<length>ms");
        assertFaultRefused("1ms +1ms CUT executor-0 0", "it needs 2 targets");
        assertFaultRefused("\u0000\u0007" + "x".repeat(1_000), "'??xxxx", "xxx...'");
    }

    @Test
    void aSettingIsRefusedWithItsLineItsValueAndItsForm() {
        assertSettingRefused("PT15S", "15", "line 7: lease = '15' must be a duration such as PT15S");
        assertSettingRefused("PT15S", "PT0S", "line 7: lease = 'PT0S'", "from PT1S to PT1H");
        assertSettingRefused("PT15S", "PT1.0000001S", "line 7: lease = ", "whole milliseconds");
        assertSettingRefused("PT1M", "PT-1S", "line 8: faulty = 'PT-1S'");
        assertSettingRefused("seed = 7", "seed = x", "line 1: seed = 'x' must be a whole number");
        assertSettingRefused("replicas = 3", "replicas = 0", "line 2: replicas = '0' must be a whole number from 1 to");
        assertSettingRefused("shards = 4", "shards = 1e3", "line 6: shards = '1e3'");
        assertSettingRefused("shards = 4", "shards =", "line 6: shards = ''");
        assertSettingRefused("quiet = PT0S", "", "no line 'quiet = ...'");
    }

    @Test
    void aSettingThatThereIsNotIsRefusedWithThoseThatThereAre() {
        assertSettingRefused("shards = 4", "shard = 3", "line 6: 'shard' is no setting", "shards, lease");
        assertRefused(SETTINGS + "seed = 8\n", "line 10: seed stands on line 1 already");
    }
}
