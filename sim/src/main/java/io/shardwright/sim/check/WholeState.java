package io.shardwright.sim.check;

/** S5, seen by whoever takes over. */
final class WholeState implements Invariant {

    @Override
    public String id() {
        return "S5";
    }

    @Override
    public String statement() {
        return "what is stored can be taken over by every replica";
    }

    @Override
    public void refused(String replica, String why, World world) {
        world.violated(this, replica + " cannot lead with what is stored: " + why);
    }
}
