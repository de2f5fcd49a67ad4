package io.shardwright.server.config;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The values of the command line. */
final class FlagLayer {
    private FlagLayer() {}

    static ConfigLayer read(List<ConfigInputs.Flag> flags, Faults faults) {
        SortedMap<String, Given> values = new TreeMap<>();
        for (ConfigInputs.Flag flag : flags) {
            if (ConfigKeys.byKey(flag.key()).isEmpty()) {
                faults.add(Fault.of(
                        flag.name() + " " + flag.key(),
                        "is not a known key.",
                        NearestKey.remedy(flag.key(), ConfigKeys.names())));
            } else if (values.put(flag.key(), new Given(flag.value(), "flag " + flag.name())) != null) {
                faults.add(Fault.of(flag.key(), "is given by more than one flag.", "Give it once."));
            }
        }
        return new ConfigLayer("flags", values);
    }
}
