package io.shardwright.rpc.service;

import io.shardwright.control.ControlEvent;
import io.shardwright.control.ControlListener;
import io.shardwright.control.NamespaceView;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** Tells several listeners, in the order they were added. To be filled before the control plane starts. */
public final class ControlListeners implements ControlListener {

    private final List<ControlListener> listeners = new CopyOnWriteArrayList<>();

    /** Adds one. */
    public void add(ControlListener listener) {
        listeners.add(listener);
    }

    @Override
    public void event(ControlEvent event) {
        listeners.forEach(listener -> listener.event(event));
    }

    @Override
    public void viewChanged(Optional<NamespaceView> before, Optional<NamespaceView> after) {
        listeners.forEach(listener -> listener.viewChanged(before, after));
    }

    @Override
    public void servingChanged(boolean serving) {
        listeners.forEach(listener -> listener.servingChanged(serving));
    }

    @Override
    public void followed(Optional<NamespaceView> before, Optional<NamespaceView> after) {
        listeners.forEach(listener -> listener.followed(before, after));
    }

    @Override
    public void following(boolean following) {
        listeners.forEach(listener -> listener.following(following));
    }

    @Override
    public void missed(String key) {
        listeners.forEach(listener -> listener.missed(key));
    }

    @Override
    public void late(String key) {
        listeners.forEach(listener -> listener.late(key));
    }
}
