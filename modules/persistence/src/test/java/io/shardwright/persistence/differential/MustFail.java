package io.shardwright.persistence.differential;

import java.util.List;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;

/** Turns a property around: it passes if the property finds a counterexample, of a few commands if it was shrunk. */
final class MustFail implements AroundPropertyHook {

    private static final int FEW = 6;

    @Override
    public PropertyExecutionResult aroundProperty(PropertyLifecycleContext context, PropertyExecutor property) {
        PropertyExecutionResult result = property.execute();
        if (result.status() != PropertyExecutionResult.Status.FAILED) {
            return result.mapToFailed("the wrong store was not found in " + result.countTries() + " sequences");
        }
        Throwable found = result.throwable().orElseThrow();
        if (!(found instanceof AssertionError)) {
            return result;
        }
        boolean isShrunk = context.attributes().shrinking().orElse(ShrinkingMode.BOUNDED) != ShrinkingMode.OFF;
        int commands = length(result.falsifiedParameters().orElseThrow());
        return isShrunk && commands > FEW
                ? result.mapToFailed("the counterexample has " + commands + " commands instead of at most " + FEW)
                : result.mapToSuccessful();
    }

    private static int length(List<Object> parameters) {
        return ((Sequence) parameters.getFirst()).commands().size();
    }
}
