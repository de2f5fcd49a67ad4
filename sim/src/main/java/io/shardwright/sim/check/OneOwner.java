package io.shardwright.sim.check;

/**
 * S1. Looked at whenever an executor ran something, for the shards that it runs: only then can it begin to admit work.
 */
final class OneOwner implements Invariant {

    @Override
    public String id() {
        return "S1";
    }

    @Override
    public String statement() {
        return "at most one executor admits work for a shard";
    }

    @Override
    public void ran(World.Executor executor, World world) {
        for (String shard : world.contested()) { // usually none, so that an event costs nothing here
            if (executor.admits(shard)) {
                for (World.Executor other : world.runners(shard)) {
                    if (!other.owner().equals(executor.owner()) && other.awake() && other.admits(shard)) {
                        world.violated(
                                this, "shard " + shard + " is run by " + executor.owner() + " and by " + other.owner());
                        return;
                    }
                }
            }
        }
    }
}
