package io.shardwright.election;

import java.util.List;

/** What became of the wish to move leadership to another replica (B10). */
public sealed interface HandOver {

    /** The term is over, and the replica is the first of the queue. */
    record To(QueuedReplica next) implements HandOver {}

    /** Nothing was done: the replica that was asked for does not wait, or none does. */
    record NobodyThere(List<QueuedReplica> waiting) implements HandOver {}

    /** The term is over; whoever is next in the queue leads, which may be the replica that was asked for or another. */
    record Uncertain(String why) implements HandOver {}

    /** Nothing was done: this replica does not lead, or no more. */
    record NotLeading() implements HandOver {}
}
