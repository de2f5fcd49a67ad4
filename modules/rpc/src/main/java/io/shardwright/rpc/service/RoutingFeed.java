package io.shardwright.rpc.service;

import io.shardwright.control.ControlEvent;
import io.shardwright.control.ControlListener;
import io.shardwright.control.NamespaceView;
import io.shardwright.control.Reply.Refusal;
import io.shardwright.domain.NamespaceName;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The routing tables of all namespaces, fed by the control plane. Only namespaces that exist have an entry, whatever
 * callers ask for. Thread-safe.
 */
public final class RoutingFeed implements ControlListener {

    private static final Refusal NOT_SERVING = new Refusal.NotLeading("it does not serve yet, or no more");

    private final String incarnation;
    private final StreamThreads threads;
    private final RoutingHistory.Limits limits;
    private final ConcurrentSkipListMap<NamespaceName, NamespaceRoutes> namespaces = new ConcurrentSkipListMap<>();
    private volatile boolean serving;

    /**
     * Prepares a feed, which must be told of changes before the control plane starts.
     *
     * @param incarnation of the control plane
     */
    public RoutingFeed(String incarnation, StreamThreads threads) {
        this(incarnation, threads, RoutingHistory.Limits.DEFAULT);
    }

    RoutingFeed(String incarnation, StreamThreads threads, RoutingHistory.Limits limits) {
        this.incarnation = incarnation;
        this.threads = threads;
        this.limits = limits;
    }

    String incarnation() {
        return incarnation;
    }

    /** Returns the table of a namespace, or empty; {@link #refusal} then says why. */
    Optional<NamespaceRoutes> routes(NamespaceName name) {
        return serving ? Optional.ofNullable(namespaces.get(name)) : Optional.empty();
    }

    /** Says why there is no table of a namespace. */
    Refusal refusal(NamespaceName name) {
        return serving ? new Refusal.NoSuchNamespace(name) : NOT_SERVING;
    }

    @Override
    public void event(ControlEvent event) {}

    @Override
    public void viewChanged(Optional<NamespaceView> before, Optional<NamespaceView> after) {
        if (after.isEmpty()) {
            before.map(view -> view.namespace().name()).ifPresent(name -> end(name, new Refusal.NoSuchNamespace(name)));
            return;
        }
        NamespaceView view = after.get();
        NamespaceName name = view.namespace().name();
        NamespaceRoutes routes = namespaces.get(name);
        if (before.isPresent() && routes != null) {
            routes.offer(view);
            return;
        }
        end(name, NOT_SERVING);
        namespaces.put(name, new NamespaceRoutes(incarnation, limits, view, threads.writers()));
    }

    /** A standby serves routers as a leader does (B2). */
    @Override
    public void followed(Optional<NamespaceView> before, Optional<NamespaceView> after) {
        viewChanged(before, after);
    }

    @Override
    public void following(boolean now) {
        servingChanged(now);
    }

    @Override
    public void servingChanged(boolean now) {
        serving = now;
        if (!now) {
            namespaces.keySet().forEach(name -> end(name, NOT_SERVING));
        }
    }

    private void end(NamespaceName name, Refusal why) {
        NamespaceRoutes routes = namespaces.remove(name);
        if (routes != null) {
            routes.end(why);
        }
    }
}
