package io.shardwright.canary;

/** What the canary says by its exit code. Stable: scripts rely on it. */
final class ExitCodes {
    /** No promise was broken. */
    static final int CLEAN = 0;

    /** The shard manager could not be reached, something could not start, or the server of a demo ended. */
    static final int FAILED = 1;

    /** The command line is wrong; nothing was started. */
    static final int USAGE = 2;

    /** A shard had two owners, an epoch fell, a shard had no owner for longer than allowed, or nobody answered. */
    static final int VIOLATION = 3;

    private ExitCodes() {}
}
