package io.shardwright.cli.call;

import java.io.PrintWriter;

/** Sees to it that a result that nobody could read is no success. */
public final class Written {
    private Written() {}

    /**
     * Flushes {@code out}.
     *
     * @throws CallFailedException if something that was printed there got lost
     */
    public static void check(PrintWriter out) {
        if (out.checkError()) {
            throw CallFailedException.local(
                    "DATA_LOSS",
                    "the result could not be written to standard output, whatever the call did; see whether the disk is full"
                            + " or the reader of a pipe ended");
        }
    }
}
