package io.shardwright.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Signals to other processes that Java itself cannot send. */
public final class Signals {

    private Signals() {}

    /** Stops a process where it stands (SIGSTOP): its sockets stay open and it answers nothing. */
    public static void stop(Process process) throws IOException {
        send("-STOP", process);
    }

    /** Lets a stopped process go on (SIGCONT). */
    public static void go(Process process) throws IOException {
        send("-CONT", process);
    }

    /** Says whether a process stands still, as a signal is on its way for a while. */
    public static boolean isStopped(Process process) throws IOException {
        return Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"))
                .contains(") T ");
    }

    private static void send(String signal, Process process) throws IOException {
        Commands.run(
                Path.of(System.getProperty("java.io.tmpdir")),
                Duration.ofSeconds(10),
                "kill",
                signal,
                Long.toString(process.pid()));
    }
}
