package io.shardwright.server.config;

import java.util.ArrayList;
import java.util.List;

/** Collects faults while the configuration is read, so that one run shows all of them. Used by one thread. */
final class Faults {
    private final List<Fault> found = new ArrayList<>();

    void add(Fault fault) {
        found.add(fault);
    }

    boolean none() {
        return found.isEmpty();
    }

    List<Fault> found() {
        return List.copyOf(found);
    }

    void throwIfAny() throws ConfigFaultsException {
        if (!none()) {
            throw new ConfigFaultsException(found);
        }
    }
}
