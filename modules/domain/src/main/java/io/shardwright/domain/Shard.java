package io.shardwright.domain;

import java.util.Optional;

/**
 * One shard: where it is in its life and at which ownership generation.
 *
 * <pre>
 * from         to                            when                                                        epoch
 * Unassigned   Assigned(A)                   an executor can take it                                     +1
 * Assigned(A)  Releasing(A, B)               the balancer, a drain or a leaving executor wants it moved  same
 * Assigned(A)  Assigned(B) or Unassigned     A released it by itself, or A's lease ended                 +1 / same
 * Releasing    Assigned(B), also back to A   A released it, or the last answer that listed it ran out    +1
 * Releasing    Unassigned                    the same, and nobody can take it                            same
 * any          Assigned(same owner)          an epoch from the future was reported                       raised above it
 * </pre>
 *
 * <p>An epoch grows with every new {@code Assigned}, also when the shard returns to the executor that just gave it up:
 * a release that arrives late must not match (section 5 of the architecture).
 *
 * @param epoch ownership generation, at least 0
 */
public record Shard(ShardKey key, long epoch, State state) {

    public Shard {
        if (epoch < 0) {
            throw new IllegalArgumentException("epoch " + epoch + " of shard " + key + " is negative");
        }
    }

    /** Where a shard is in its life. */
    public sealed interface State {

        /** Nobody owns it. */
        record Unassigned() implements State {}

        /** {@code owner} owns it. */
        record Assigned(ExecutorId owner) implements State {}

        /** {@code owner} still owns it but was asked to let go; {@code next} shall get it, if it still can by then. */
        record Releasing(ExecutorId owner, Optional<ExecutorId> next) implements State {}
    }

    private static final State UNASSIGNED = new State.Unassigned();

    /** Returns a shard without an owner. */
    public static Shard unassigned(ShardKey key, long epoch) {
        return new Shard(key, epoch, UNASSIGNED);
    }

    /** Returns the executor that may run the shard now. */
    public Optional<ExecutorId> owner() {
        return switch (state) {
            case State.Unassigned() -> Optional.empty();
            case State.Assigned(ExecutorId owner) -> Optional.of(owner);
            case State.Releasing(ExecutorId owner, Optional<ExecutorId> next) -> Optional.of(owner);
        };
    }

    /** Tells whether {@code executor} may run the shard now. */
    public boolean ownedBy(ExecutorId executor) {
        return switch (state) {
            case State.Unassigned() -> false;
            case State.Assigned(ExecutorId owner) -> owner.equals(executor);
            case State.Releasing(ExecutorId owner, Optional<ExecutorId> next) -> owner.equals(executor);
        };
    }

    /** Returns this shard with a new owner and the next epoch. */
    public Shard assignTo(ExecutorId owner) {
        return new Shard(key, epoch + 1, new State.Assigned(owner));
    }

    /** Returns this shard as its owner is asked to let go. */
    public Shard release(ExecutorId owner, Optional<ExecutorId> next) {
        return new Shard(key, epoch, new State.Releasing(owner, next));
    }

    /** Returns this shard without an owner. */
    public Shard unassign() {
        return unassigned(key, epoch);
    }

    /** Returns this shard with a higher epoch and everything else as it is. */
    public Shard raiseTo(long higher) {
        if (higher <= epoch) {
            throw new IllegalArgumentException("epoch " + higher + " of shard " + key + " is not above " + epoch);
        }
        return new Shard(key, higher, state);
    }
}
