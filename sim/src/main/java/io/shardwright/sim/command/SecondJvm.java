package io.shardwright.sim.command;

import io.shardwright.sim.cluster.Simulation;
import io.shardwright.sim.plan.Plan;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Runs plans in a JVM of its own. Some orders differ between processes only, {@code Set.of} for example, so a second
 * run in this process would not show that a run depends on one.
 */
final class SecondJvm {

    static final String BETWEEN_PLANS = "\f";

    private final String main;

    /** What a run came to: equal for equal runs. */
    record Ran(long digest, long steps) {

        static Ran of(Simulation.Result result) {
            return new Ran(result.digest(), result.steps());
        }

        String line() {
            return String.format("%016x %d", digest, steps);
        }

        static Ran parse(String line) {
            int space = line.indexOf(' ');
            return new Ran(
                    Long.parseUnsignedLong(line.substring(0, space), 16), Long.parseLong(line.substring(space + 1)));
        }
    }

    /** @param main the class that answers there */
    SecondJvm(Class<?> main) {
        this.main = main.getName();
    }

    /** Returns what each plan came to. */
    List<Ran> run(List<Plan> plans) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            try (OutputStream in = process.getOutputStream()) {
                in.write(plans.stream()
                        .map(Plan::text)
                        .collect(Collectors.joining(BETWEEN_PLANS))
                        .getBytes(StandardCharsets.UTF_8));
            }
            String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            List<Ran> ran = answer.lines().map(Ran::parse).toList();
            if (process.waitFor() != 0 || ran.size() != plans.size()) {
                throw new IOException("the second JVM of the replay check answered for " + ran.size() + " of "
                        + plans.size() + " plans; its errors stand above");
            }
            return ran;
        } finally {
            process.destroyForcibly();
        }
    }
}
