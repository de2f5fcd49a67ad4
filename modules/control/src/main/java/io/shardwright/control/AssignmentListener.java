package io.shardwright.control;

/** The open stream of one executor. Called on the event loop; must not block. */
public interface AssignmentListener {

    /** The executor's set, at once and after each change. */
    void deliver(Delivery delivery);

    /** The stream is over. */
    void ended(Reply.Refusal why);
}
