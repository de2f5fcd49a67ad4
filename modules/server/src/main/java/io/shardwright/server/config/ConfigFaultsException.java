package io.shardwright.server.config;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The configuration is refused; carries every fault, not only the first. The process has opened nothing yet and exits
 * with 2.
 */
public final class ConfigFaultsException extends Exception {
    private final transient List<Fault> faults;

    ConfigFaultsException(List<Fault> faults) {
        super(report(faults));
        this.faults = List.copyOf(faults);
    }

    /** All faults, in the order of the sources and then of the keys. */
    public List<Fault> faults() {
        return faults;
    }

    private static String report(List<Fault> faults) {
        String head =
                faults.size() == 1 ? "1 fault in the configuration:" : faults.size() + " faults in the configuration:";
        return faults.stream().map(f -> "  " + f.text()).collect(Collectors.joining("\n", head + "\n", ""));
    }
}
