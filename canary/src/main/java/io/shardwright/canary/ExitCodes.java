package io.shardwright.canary;

/** What the canary says by its exit code. Stable: scripts rely on it. */
final class ExitCodes {
    /** No promise was broken. */
    static final int CLEAN = 0;

    /** The shard manager could not be reached, or something could not start. */
    static final int FAILED = 1;

    /** The command line is wrong; nothing was started. */
    static final int USAGE = 2;

    /** A shard had two owners, an epoch fell, or a shard had no owner for longer than allowed. */
    static final int VIOLATION = 3;

    private ExitCodes() {}
}
