package io.shardwright.cli;

import io.shardwright.cli.call.CallFailedException;

/** What the process says to its caller. Scripts rely on these numbers: they never change. */
final class ExitCodes {
    static final int OK = 0;
    static final int FAILED = 1;
    static final int USAGE = 2;
    static final int NOT_FOUND = 3;
    static final int UNAVAILABLE = 4;

    private ExitCodes() {}

    static int of(CallFailedException failure) {
        return switch (failure.code()) {
            case "NOT_FOUND" -> NOT_FOUND;
            case "UNAVAILABLE", "DEADLINE_EXCEEDED" -> UNAVAILABLE;
            default -> FAILED;
        };
    }
}
