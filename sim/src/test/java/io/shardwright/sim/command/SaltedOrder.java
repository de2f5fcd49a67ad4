package io.shardwright.sim.command;

import io.shardwright.persistence.Store;
import io.shardwright.sim.cluster.Wiring;
import io.shardwright.sim.kernel.SimProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Mutant M22: a replica does something at a time that depends on the order of a {@code Set.copyOf}. */
final class SaltedOrder extends Wiring {

    private static final Set<String> NAMES =
            Set.copyOf(IntStream.range(0, 64).mapToObj(i -> "shard-" + i).collect(Collectors.toList()));

    @Override
    public Store store(SimProcess replica, Store real) {
        int position = 0;
        for (String name : NAMES) {
            position++;
            if (name.equals("shard-7")) {
                replica.schedule(Duration.ofMillis(position), () -> {});
            }
        }
        return real;
    }

    /** The other JVM of a replay check of this mutant. */
    public static void main(String[] args) throws IOException {
        ReplayMain.serve(SaltedOrder::new);
    }
}
