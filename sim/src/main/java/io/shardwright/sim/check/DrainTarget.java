package io.shardwright.sim.check;

import java.util.Comparator;

/**
 * Something that an operator keeps free of work.
 *
 * @param kind what it is
 * @param namespace in which namespace
 * @param name shard key, or name of the host
 */
public record DrainTarget(Kind kind, String namespace, String name) implements Comparable<DrainTarget> {

    private static final Comparator<DrainTarget> ORDER = Comparator.comparing(DrainTarget::kind)
            .thenComparing(DrainTarget::namespace)
            .thenComparing(DrainTarget::name);

    /** What can be drained. */
    public enum Kind {
        /** A shard, which then has no owner. */
        SHARD,
        /** A host, whose executors then get no shards. */
        HOST
    }

    @Override
    public int compareTo(DrainTarget other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return (kind == Kind.SHARD ? "shard " : "host ") + name + " of " + namespace;
    }
}
