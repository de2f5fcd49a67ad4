package io.shardwright.sim.check;

import io.shardwright.persistence.Txn;
import io.shardwright.proto.v1.AssignmentDelivery;
import io.shardwright.proto.v1.RegisterResponse;
import io.shardwright.proto.v1.RenewRequest;
import io.shardwright.proto.v1.RenewResponse;
import io.shardwright.sim.network.Wire;
import java.time.Duration;

/** Something that must always be true. It hears what happens, keeps what it needs, and says when it is violated. */
public interface Invariant {

    /** Returns its number in the requirements. */
    String id();

    /** Returns what must be true, in one sentence. */
    String statement();

    /** Something was stored. */
    default void stored(Stored change, World world) {}

    /** A replica's transaction wrote a revision. */
    default void wrote(String writer, Txn txn, long revision, World world) {}

    /** A message was sent. */
    default void sent(Wire.Packet packet, World world) {}

    /** A message was received. */
    default void delivered(Wire.Packet packet, World world) {}

    /** An executor began to start a shard. */
    default void starting(World.Executor executor, String shard, long epoch, World world) {}

    /** An executor makes a call. */
    default void called(World.Executor executor, World world) {}

    /** An executor takes the answer to a registration. */
    default void registered(World.Executor executor, ExecutorCall call, RegisterResponse answer, World world) {}

    /** An executor takes the answer to a renewal. */
    default void renewed(
            World.Executor executor, ExecutorCall call, RenewRequest request, RenewResponse answer, World world) {}

    /** An executor takes a push. */
    default void pushed(World.Executor executor, AssignmentDelivery delivery, World world) {}

    /** An executor asks to leave. */
    default void leaving(World.Executor executor, World world) {}

    /** An operator asks for a drain, or to take one back, and until there is an answer either may be. */
    default void drainAsked(DrainTarget target, World world) {}

    /** The operator knows whether it is drained. */
    default void drainAnswered(DrainTarget target, boolean drained, World world) {}

    /** A router states the age of its table. */
    default void routed(String spectator, long revision, Duration age, World world) {}

    /** A router learns from a lookup who has a shard. */
    default void found(String spectator, String shard, long epoch, String owner, World world) {}

    /** A replica was elected, and refuses to lead. */
    default void refused(String replica, String why, World world) {}

    /** Says whether it can hold only while the store keeps what it acknowledged. */
    default boolean restsOnTheStore() {
        return id().startsWith("S");
    }

    /** A router has another table; {@code routes} is the number of {@link Routes} for it. */
    default void table(String spectator, String namespace, long revision, long routes, World world) {}

    /** A replica found that it had not heard of a change. */
    default void missed(String replica, String key, World world) {}

    /** A replica found that its watch is behind with a change. */
    default void late(String replica, String key, World world) {}

    /** An executor process ran a task. */
    default void ran(World.Executor executor, World world) {}

    /** Storage took a write. */
    default void accepted(String shard, long epoch, String owner, World world) {}

    /** A client was closed, with so many of its timers and connections still there. */
    default void left(String process, int timers, int connections, World world) {}

    /** A task threw. */
    default void threw(String process, Throwable thrown, World world) {}
}
