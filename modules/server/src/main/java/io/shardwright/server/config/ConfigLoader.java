package io.shardwright.server.config;

import java.util.ArrayList;
import java.util.List;

/** Reads the configuration: flags over environment over file over defaults. Opens no port and writes nothing. */
public final class ConfigLoader {
    private ConfigLoader() {}

    /**
     * The configuration in effect.
     *
     * @throws ConfigFaultsException with every fault of every source
     */
    public static LoadedConfig load(ConfigInputs inputs) throws ConfigFaultsException {
        Faults faults = new Faults();
        List<ConfigLayer> layers = new ArrayList<>();
        layers.add(FlagLayer.read(inputs.flags(), faults));
        layers.add(EnvironmentLayer.read(inputs.environment(), faults));
        FileLayer.locate(inputs).ifPresent(file -> layers.add(FileLayer.read(file, faults)));
        Values values = new Values(layers, faults);
        ServerConfig config = new ServerConfigReader(values).read();
        // A key of a store that is not in use was not read; its value has to be right all the same.
        ConfigKeys.ALL.forEach(values::find);
        faults.throwIfAny();
        return new LoadedConfig(config, EffectiveConfig.of(values));
    }
}
