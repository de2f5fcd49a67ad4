package io.shardwright.server.dashboard;

import io.helidon.json.JsonGenerator;
import io.shardwright.control.Answers;
import io.shardwright.control.NamespaceView;
import io.shardwright.domain.Executor;
import io.shardwright.domain.ExecutorId;
import io.shardwright.domain.Namespace;
import io.shardwright.domain.Shard;
import io.shardwright.domain.ShardKey;
import java.io.StringWriter;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/** Writes one message to the browsers; its shape is described at {@link DashboardFeed}. For one thread. */
final class Message implements AutoCloseable {

    /** Labels of an executor, and characters of a value, that are shown: an executor may have 128 KiB of them. */
    private static final int MAX_LABELS = 12;

    private static final int MAX_LABEL_VALUE = 120;

    private final StringWriter text = new StringWriter();
    private final JsonGenerator json = JsonGenerator.create(text);

    Message(String kind, long timeMillis, boolean serving) {
        json.writeObjectStart();
        json.write("kind", kind);
        json.write("time", timeMillis);
        json.write("serving", serving);
    }

    void beginArray(String name) {
        json.writeKey(name);
        json.writeArrayStart();
    }

    void endArray() {
        json.writeArrayEnd();
    }

    /** One string of an array. */
    void element(String value) {
        json.write(value);
    }

    void beginNamespace(NamespaceView view) {
        json.writeObjectStart();
        json.write("name", view.namespace().name().value());
        json.write("revision", view.revision());
    }

    void endNamespace() {
        json.writeObjectEnd();
    }

    void settings(Namespace namespace) {
        json.write("fixed", namespace.kind() instanceof Namespace.Kind.Fixed);
        json.write("leaseMillis", namespace.lease().toMillis());
        json.write("balancer", namespace.balancer());
    }

    void executors(SortedMap<ExecutorId, Executor> executors) {
        beginArray("executors");
        for (Executor executor : executors.values()) {
            json.writeObjectStart();
            json.write("id", executor.id().value());
            json.write("address", executor.address());
            json.write("host", executor.host());
            json.write("status", executor.status().name().toLowerCase(Locale.ROOT));
            beginArray("labels");
            executor.labels().entrySet().stream().limit(MAX_LABELS).forEach(label -> {
                json.writeArrayStart();
                json.write(label.getKey());
                json.write(shortened(label.getValue()));
                json.writeArrayEnd();
            });
            endArray();
            json.writeObjectEnd();
        }
        endArray();
    }

    private static String shortened(String value) {
        return value.length() > MAX_LABEL_VALUE ? value.substring(0, MAX_LABEL_VALUE - 1) + "…" : value;
    }

    void figures(List<Answers.ExecutorDetails> executors) {
        beginArray("figures");
        for (Answers.ExecutorDetails details : executors) {
            json.writeArrayStart();
            json.write(details.executor().id().value());
            json.write(details.leaseRemaining().toMillis());
            json.write(details.renewalAge().toMillis());
            json.write(rounded(details.load()));
            json.writeArrayEnd();
        }
        endArray();
    }

    /** Rows of shards. Executors are named once, in {@code names}, because a table names few of them often. */
    void shards(Collection<Shard> shards) {
        Map<ExecutorId, Integer> names = new LinkedHashMap<>();
        beginArray("shards");
        for (Shard shard : shards) {
            json.writeArrayStart();
            json.write(shard.key().value());
            json.write(shard.epoch());
            switch (shard.state()) {
                case Shard.State.Unassigned() -> {}
                case Shard.State.Assigned(ExecutorId owner) -> json.write(number(names, owner));
                case Shard.State.Releasing(ExecutorId owner, Optional<ExecutorId> next) -> {
                    json.write(number(names, owner));
                    json.write(next.map(id -> number(names, id)).orElse(-1));
                }
            }
            json.writeArrayEnd();
        }
        endArray();
        beginArray("names");
        names.keySet().forEach(id -> json.write(id.value()));
        endArray();
    }

    private static int number(Map<ExecutorId, Integer> names, ExecutorId id) {
        return names.computeIfAbsent(id, unknown -> names.size());
    }

    void removed(Collection<ShardKey> keys) {
        beginArray("removed");
        keys.forEach(key -> json.write(key.value()));
        endArray();
    }

    void loads(Map<ShardKey, Double> loads) {
        beginArray("loads");
        loads.forEach((key, load) -> {
            json.writeArrayStart();
            json.write(key.value());
            json.write(load.doubleValue());
            json.writeArrayEnd();
        });
        endArray();
    }

    void recent(Recent.Part recent) {
        json.write("moveCount", recent.moveCount());
        beginArray("events");
        for (Recent.Note note : recent.notes()) {
            json.writeObjectStart();
            json.write("sequence", note.sequence());
            json.write("time", note.time().toEpochMilli());
            json.write("namespace", note.namespace());
            json.write("warning", note.warning());
            json.write("text", note.text());
            json.writeObjectEnd();
        }
        endArray();
        beginArray("moves");
        for (Recent.Move move : recent.moves()) {
            json.writeObjectStart();
            json.write("sequence", move.sequence());
            json.write("time", move.time().toEpochMilli());
            json.write("namespace", move.namespace());
            json.write("shard", move.after().key().value());
            move.before().flatMap(Shard::owner).ifPresent(owner -> json.write("from", owner.value()));
            move.after().owner().ifPresent(owner -> json.write("to", owner.value()));
            json.write("epoch", move.after().epoch());
            json.write("reason", move.reason());
            json.writeObjectEnd();
        }
        endArray();
    }

    String end() {
        json.writeObjectEnd();
        json.close();
        return text.toString();
    }

    @Override
    public void close() {
        json.close();
    }

    /** What is known of one shard, as a document of its own. */
    static String shard(Answers.ShardDetails details) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JsonGenerator.create(text)) {
            json.writeObjectStart();
            json.write("key", details.shard().key().value());
            json.write("epoch", details.shard().epoch());
            details.owner().ifPresent(owner -> {
                json.write("owner", owner.id().value());
                json.write("address", owner.address());
            });
            details.activity()
                    .ifPresent(
                            activity -> json.write("activity", activity.name().toLowerCase(Locale.ROOT)));
            if (details.shard().state() instanceof Shard.State.Releasing(var owner, Optional<ExecutorId> next)) {
                json.write("releasing", true);
                next.ifPresent(id -> json.write("next", id.value()));
            }
            details.load().ifPresent(load -> json.write("load", load));
            json.write("reason", details.reason());
            json.writeObjectEnd();
        }
        return text.toString();
    }

    /** Four digits: more only make a load look changed when it is not. */
    static double rounded(double load) {
        if (load < 1e-9 || load > 1e15) {
            return load < 1e-9 ? 0 : load;
        }
        double scale = Math.pow(10, 3 - Math.floor(Math.log10(load)));
        return Math.round(load * scale) / scale;
    }
}
