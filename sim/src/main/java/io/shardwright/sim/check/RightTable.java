package io.shardwright.sim.check;

/**
 * S11: what a router knows, whoever told it, a leader or a standby that heard of it by its own watch. A router may be
 * behind, but never between two states and never beside one.
 */
final class RightTable implements Invariant {

    @Override
    public String id() {
        return "S11";
    }

    @Override
    public String statement() {
        return "a router's table of a revision is what was stored at that revision";
    }

    @Override
    public void table(String spectator, String namespace, long revision, long routes, World world) {
        if (!world.etcdIsDefective() && routes != world.ledger().routesAt(namespace, revision)) {
            world.violated(
                    this,
                    spectator + " has a table of " + namespace + " of revision " + revision + " that was never stored");
        }
    }
}
