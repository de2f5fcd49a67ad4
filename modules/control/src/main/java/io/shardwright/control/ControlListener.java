package io.shardwright.control;

import java.util.Optional;

/** Hears what happens. Called on the event loop, after it was stored; must not block. */
public interface ControlListener {

    /** Something happened. */
    void event(ControlEvent event);

    /**
     * The stored state of a namespace changed; {@code before} is empty when it is new, {@code after} when it is gone.
     */
    void viewChanged(Optional<NamespaceView> before, Optional<NamespaceView> after);

    /**
     * This process began to serve, or does not serve any more: every namespace it told of is forgotten then, and told
     * anew in the next term.
     */
    default void servingChanged(boolean serving) {}

    /**
     * The same as {@link #viewChanged}, on a replica that does not lead: somebody else decided it, and this one read it
     * from the store.
     */
    default void followed(Optional<NamespaceView> before, Optional<NamespaceView> after) {}

    /**
     * This replica began to follow the state that another one decides, or does so no more: every namespace that it told
     * of is forgotten then, and told anew the next time.
     */
    default void following(boolean following) {}

    /**
     * A watch of the store kept a change to itself, as a comparison with the store found out; everything is read again.
     *
     * @param key whose change it was
     */
    default void missed(String key) {}

    /**
     * A watch of the store has not told of a change that is older than 5 s, and perhaps never will; everything is read
     * again.
     *
     * @param key whose change it is
     */
    default void late(String key) {}
}
