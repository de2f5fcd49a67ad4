package io.shardwright.server.http;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** A feed whose events the test makes. */
final class FakeFeed implements LiveFeed {
    private final Set<Consumer<String>> listeners = ConcurrentHashMap.newKeySet();

    @Override
    public Subscription subscribe(Consumer<String> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    @Override
    public String snapshotJson() {
        return "{\"namespaces\":[]}";
    }

    void happens(String json) {
        listeners.forEach(listener -> listener.accept(json));
    }

    int subscriptions() {
        return listeners.size();
    }
}
