package io.shardwright.server;

/** The command line entry of {@code shardwright}. */
public final class Main {
    private Main() {}

    /** Prints how to use the program. */
    public static void main(String[] arguments) {
        System.out.println("usage: shardwright <command> [options]");
    }
}
