package io.shardwright.cli;

/** The command line entry of {@code shardctl}. */
public final class Shardctl {
    private Shardctl() {}

    /** Prints how to use the program. */
    public static void main(String[] arguments) {
        System.out.println("usage: shardctl <command> [options]");
    }
}
