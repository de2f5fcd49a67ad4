package io.shardwright.sim.check;

/** S11, seen by a standby: its check of what it heard mends what its watch got wrong, and must have nothing to mend. */
final class HeardOfAll implements Invariant {

    @Override
    public String id() {
        return "S11";
    }

    @Override
    public String statement() {
        return "a standby hears of every change that etcd tells of";
    }

    @Override
    public void missed(String replica, String key, World world) {
        if (!world.etcdMissesEvents()) {
            world.violated(this, replica + " did not hear of a change of " + key + ", of which etcd told");
        }
    }

    @Override
    public void late(String replica, String key, World world) {
        if (!world.etcdMissesEvents() && !world.etcdTells(replica)) {
            world.violated(
                    this, replica + " waits to hear of a change of " + key + ", but etcd has nothing more to tell it");
        }
    }
}
