package io.shardwright.control;

import java.time.Duration;
import java.util.Optional;

/**
 * Decides whether executors whose lease ended may be taken for lost (B7).
 *
 * <p>Waiting longer is always safe, moving is not always wise: when most executors fall silent at once, or this process
 * itself stood still, the silence says more about this side than about them. One more lease is waited for then.
 */
final class LossGuard {

    private final double share;
    private final Duration lease;
    private Optional<Long> heldBackUntil = Optional.empty();

    LossGuard(double share, Duration lease) {
        this.share = share;
        this.lease = lease;
    }

    /** What to do about executors that are silent. */
    enum Verdict {
        ACT,
        HOLD_BACK_FROM_NOW,
        HOLD_BACK
    }

    /** Judges. {@code HOLD_BACK_FROM_NOW} is given once each time. */
    Verdict judge(int silent, int all, long now) {
        if (silent < 2 || silent <= share * all) {
            heldBackUntil = Optional.empty();
            return Verdict.ACT;
        }
        if (heldBackUntil.isEmpty()) {
            heldBackUntil = Optional.of(now + lease.toNanos());
            return Verdict.HOLD_BACK_FROM_NOW;
        }
        return now - heldBackUntil.get() >= 0 ? Verdict.ACT : Verdict.HOLD_BACK;
    }

    /** When the wait is over. */
    Optional<Long> heldBackUntil() {
        return heldBackUntil;
    }

    /** Tells whether a timer ran so late that this process must have stood still. */
    boolean stoodStill(long due, long now) {
        return now - due > lease.toNanos() / 3;
    }
}
