package io.shardwright.sim.check;

/**
 * A number for a routing table, whatever the order of its routes: equal tables have equal numbers, and others have
 * another one but for chance. A route that comes or goes is added or removed by the exclusive or of {@link #of}.
 */
public final class Routes {

    private static final long PRIME = 0x100000001b3L; // of the hash function FNV-1a
    private static final long BASIS = 0xcbf29ce484222325L;

    private Routes() {}

    /** Returns the number of a table of one route. */
    public static long of(String shard, long epoch, String owner) {
        long hash = mix(BASIS, shard);
        hash = mix(hash, owner);
        hash = (hash ^ epoch) * PRIME;
        return hash ^ (hash >>> 29);
    }

    private static long mix(long start, String text) {
        long hash = start;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * PRIME;
        }
        return (hash ^ 0xff) * PRIME;
    }
}
