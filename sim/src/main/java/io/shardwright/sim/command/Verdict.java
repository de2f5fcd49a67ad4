package io.shardwright.sim.command;

import io.shardwright.sim.check.Violation;

/** What a batch came to, with its exit code (A7.6). The first one that applies counts. */
enum Verdict {
    SAFETY(10),
    CRASH(12),
    LIVENESS(11),
    NONDETERMINISM(13),
    INVALID(14),
    CLEAN(0);

    private final int exitCode;

    Verdict(int exitCode) {
        this.exitCode = exitCode;
    }

    int exitCode() {
        return exitCode;
    }

    static Verdict of(Violation violation) {
        if (violation.id().equals("S13") || violation.id().equals("crash")) {
            return CRASH;
        }
        return violation.id().startsWith("L") ? LIVENESS : SAFETY;
    }
}
