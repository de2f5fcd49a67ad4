package io.shardwright.sim.check;

import io.shardwright.client.lease.LeaseSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoublePredicate;

/** All invariants. */
public final class Invariants {

    private Invariants() {}

    /**
     * Returns fresh ones for a run with one fixed namespace, and one ephemeral one that nobody may use.
     *
     * @param clocksWithin tells whether no two clocks differ by more than a fraction; where they do, leases promise
     *     nothing, and the fence alone has to hold
     */
    public static List<Invariant> of(String namespace, String ephemeral, int shards, DoublePredicate clocksWithin) {
        List<Invariant> invariants = new ArrayList<>(always(namespace, ephemeral, shards));
        if (clocksWithin.test(LeaseSettings.DEFAULT_CLOCK_TOLERANCE)) {
            invariants.add(new OneOwner());
            invariants.add(new Acknowledged(LeaseSettings.DEFAULT_CLOCK_TOLERANCE));
        }
        return List.copyOf(invariants);
    }

    /** Returns those of some invariants that do something in a callback. */
    public static List<Invariant> overriding(List<Invariant> all, String callback, Class<?>... parameters) {
        return all.stream()
                .filter(invariant -> {
                    try {
                        return invariant
                                        .getClass()
                                        .getMethod(callback, parameters)
                                        .getDeclaringClass()
                                != Invariant.class;
                    } catch (NoSuchMethodException e) {
                        throw new IllegalArgumentException("no callback " + callback, e);
                    }
                })
                .toList();
    }

    private static List<Invariant> always(String namespace, String ephemeral, int shards) {
        return List.of(
                new FencedWrites(),
                new GrowingEpochs(),
                new ToldIsStored(namespace, ephemeral),
                new NoLostShard(namespace, shards),
                new NoForgottenShard(ephemeral),
                new AcknowledgedDrains(),
                new DrainedGetsNothing(),
                new WholeState(),
                new OneLeader(),
                new DeliveryOrder(),
                new TrueAge(namespace),
                new RightTable(),
                new HeardOfAll(),
                new NoStorm(),
                new QuietLoops());
    }
}
