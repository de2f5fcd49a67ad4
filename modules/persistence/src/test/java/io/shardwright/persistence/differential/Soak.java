package io.shardwright.persistence.differential;

import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;

/** Runs a property so often as the system property {@code shardwright.soak.sequences} says, if it is set. */
final class Soak implements AroundPropertyHook {

    @Override
    public PropertyExecutionResult aroundProperty(PropertyLifecycleContext context, PropertyExecutor property) {
        Integer sequences = Integer.getInteger("shardwright.soak.sequences");
        if (sequences != null) {
            context.attributes().setTries(sequences);
        }
        return property.execute();
    }
}
