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
}
