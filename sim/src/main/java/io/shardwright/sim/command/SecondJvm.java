package io.shardwright.sim.command;

import io.shardwright.sim.cluster.Simulation;
import io.shardwright.sim.kernel.Checkpoint;
import io.shardwright.sim.plan.Plan;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Runs plans in a JVM of its own. Some orders differ between processes only, {@code Set.of} for example, so a second
 * run in this process would not show that a run depends on one.
 */
final class SecondJvm {

    static final String BETWEEN_PLANS = "\f";

    private static final Path THIS_JAVA = Path.of(System.getProperty("java.home"));

    private final String main;
    private final Path java;

    /** What a run came to: equal for equal runs. */
    record Ran(List<Checkpoint> checkpoints) {

        static Ran of(Simulation.Result result) {
            return new Ran(result.checkpoints());
        }

        long digest() {
            return checkpoints.getLast().digest();
        }

        long steps() {
            return checkpoints.getLast().steps();
        }

        String line() {
            return checkpoints.stream()
                    .map(at -> at.steps() + ":" + at.time() + ":" + Long.toHexString(at.digest()))
                    .collect(Collectors.joining(" "));
        }

        static Ran parse(String line) {
            return new Ran(
                    Arrays.stream(line.split(" ", -1)).map(Ran::checkpoint).toList());
        }

        private static Checkpoint checkpoint(String text) {
            String[] parts = text.split(":", -1);
            return new Checkpoint(
                    Long.parseLong(parts[0]), Long.parseLong(parts[1]), Long.parseUnsignedLong(parts[2], 16));
        }
    }

    /** @param main the class that answers there */
    SecondJvm(Class<?> main) {
        this(main, THIS_JAVA);
    }

    /**
     * @param main the class that answers there
     * @param java home of the JDK or JRE that runs it
     */
    SecondJvm(Class<?> main, Path java) {
        this.main = main.getName();
        this.java = java;
    }

    /** Returns what each plan came to. */
    List<Ran> run(List<Plan> plans) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(java.resolve("bin").resolve("java").toString());
        if (java.equals(THIS_JAVA)) { // another version may not know these options
            command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        }
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
