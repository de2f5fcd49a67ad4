package io.shardwright.sim.check;

/** S10, from the revision on that stores the drain. */
final class DrainedGetsNothing implements Invariant {

    @Override
    public String id() {
        return "S10";
    }

    @Override
    public String statement() {
        return "a drained shard, and an executor on a drained host, gets no work until it is taken back";
    }

    @Override
    public void stored(Stored change, World world) {
        if (!(change instanceof Stored.ShardChanged changed) || changed.after().isEmpty()) {
            return;
        }
        String namespace = changed.namespace();
        Stored.Ownership after = changed.after().get();
        String before = changed.before().map(Stored.Ownership::owner).orElse("");
        String next = changed.before().map(Stored.Ownership::next).orElse("");
        boolean gotOwner = !after.owner().isEmpty() && !after.owner().equals(before);
        if (world.ledger().shardDrained(namespace, changed.key())) {
            boolean takenBack = !after.owner().isEmpty() && !after.releasing();
            if (gotOwner || takenBack || !after.next().isEmpty()) {
                world.violated(
                        this,
                        "revision " + changed.revision() + " stores the drained shard " + changed.key() + " of "
                                + namespace + " with " + after);
            }
        } else if (gotOwner && world.ledger().onDrainedHost(namespace, after.owner())) {
            world.violated(
                    this,
                    "revision " + changed.revision() + " gives shard " + changed.key() + " of " + namespace + " to "
                            + after.owner() + ", whose host is drained");
        } else if (!after.next().isEmpty()
                && !after.next().equals(next)
                && world.ledger().onDrainedHost(namespace, after.next())) {
            world.violated(
                    this,
                    "revision " + changed.revision() + " lets shard " + changed.key() + " of " + namespace + " go to "
                            + after.next() + ", whose host is drained");
        }
    }
}
