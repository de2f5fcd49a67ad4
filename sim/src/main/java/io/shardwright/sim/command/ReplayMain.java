package io.shardwright.sim.command;

import io.shardwright.sim.cluster.Simulation;
import io.shardwright.sim.cluster.Trace;
import io.shardwright.sim.cluster.Wiring;
import io.shardwright.sim.plan.Plan;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/** The other process of a replay check: reads plans from standard input, and prints what each run came to. */
final class ReplayMain {

    private ReplayMain() {}

    public static void main(String[] args) throws IOException {
        serve(Wiring::new);
    }

    /** Answers for the plans on standard input with a line each. */
    static void serve(Supplier<Wiring> wiring) throws IOException {
        QuietLogs.set();
        String all = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
        for (String text : all.split(SecondJvm.BETWEEN_PLANS, -1)) {
            Simulation.Result result = Simulation.outcome(Plan.parse(text), wiring.get(), Trace.NONE);
            System.out.println(SecondJvm.Ran.of(result).line());
        }
    }
}
