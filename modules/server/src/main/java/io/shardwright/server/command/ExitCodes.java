package io.shardwright.server.command;

/** What the process says by its exit code. Stable: scripts rely on it. */
public final class ExitCodes {
    /** Done. */
    public static final int OK = 0;

    /** It failed while it ran. */
    public static final int FAILED = 1;

    /** The command line or the configuration is wrong; nothing was started. */
    public static final int USAGE = 2;

    private ExitCodes() {}
}
