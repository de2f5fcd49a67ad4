package io.shardwright.canary.ping;

import io.shardwright.proto.canary.v1.PingResponse;

/** How one ping ended. */
public sealed interface PingOutcome {

    /** The executor runs the shard. */
    record Owned(PingResponse answer) implements PingOutcome {}

    /** The executor answered that it does not run the shard. */
    record NotOwned() implements PingOutcome {}

    /** The executor did not answer. */
    record Unreachable(String why) implements PingOutcome {}

    /** The shard manager names no owner. */
    record NoOwner() implements PingOutcome {}
}
