package io.shardwright.sim.check;

import java.util.TreeMap;

/** S6 for drains: what was acknowledged is stored, and stays until the operator asks for the opposite. */
final class AcknowledgedDrains implements Invariant {

    private final TreeMap<DrainTarget, Boolean> acknowledged = new TreeMap<>(); // true: drained

    @Override
    public String id() {
        return "S6";
    }

    @Override
    public String statement() {
        return "an acknowledged drain is stored until it is taken back, and one that was taken back stays away";
    }

    @Override
    public void drainAsked(DrainTarget target, World world) {
        acknowledged.remove(target);
    }

    @Override
    public void drainAnswered(DrainTarget target, boolean drained, World world) {
        acknowledged.put(target, drained);
        if (world.ledger().drains().contains(target) != drained) {
            world.violated(
                    this, target + " was said to be " + word(drained) + ", but it is stored as " + word(!drained));
        }
    }

    @Override
    public void stored(Stored change, World world) {
        if (change instanceof Stored.DrainChanged changed) {
            Boolean told = acknowledged.get(changed.target());
            if (told != null && told != changed.drained()) {
                world.violated(
                        this,
                        changed.target() + " was said to be " + word(told) + ", and nobody asked for anything else, but"
                                + " revision " + changed.revision() + " stores it as " + word(changed.drained()));
            }
        }
    }

    private static String word(boolean drained) {
        return drained ? "drained" : "not drained";
    }
}
