package io.shardwright.server.dashboard;

import io.helidon.json.JsonArray;
import io.helidon.json.JsonObject;
import io.helidon.json.JsonParser;
import io.shardwright.control.Answers;
import io.shardwright.control.Claim;
import io.shardwright.control.NamespaceView;
import io.shardwright.domain.Executor;
import io.shardwright.domain.ExecutorId;
import io.shardwright.domain.Namespace;
import io.shardwright.domain.NamespaceName;
import io.shardwright.domain.Shard;
import io.shardwright.domain.ShardKey;
import io.shardwright.domain.ShardTable;
import io.shardwright.server.http.LiveFeed;
import io.shardwright.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** A feed over states that a test makes, beaten by hand. */
final class FeedUnderTest implements DashboardSource {

    static final NamespaceName ORDERS = new NamespaceName("orders");

    final TreeMap<NamespaceName, NamespaceView> views = new TreeMap<>();
    final TreeMap<ExecutorId, List<Answers.ReportedLoad>> loads = new TreeMap<>();
    final List<String> heard = new ArrayList<>();
    boolean serving = true;
    int asked;
    boolean beating;
    private Runnable beat = () -> {};
    final DashboardFeed feed;

    FeedUnderTest() {
        feed = new DashboardFeed(this, new VirtualTime(), (period, task) -> {
            beating = true;
            beat = task;
            return () -> beating = false;
        });
    }

    /** A fixed namespace whose shards nobody owns. */
    FeedUnderTest fixed(NamespaceName name, int shards) {
        return put(new Namespace(name, new Namespace.Kind.Fixed(shards), Duration.ofSeconds(15), "naive"));
    }

    FeedUnderTest put(Namespace namespace) {
        views.put(
                namespace.name(),
                new NamespaceView(namespace, 1, ShardTable.initial(namespace.kind(), 0), new TreeMap<>()));
        return this;
    }

    NamespaceView view(NamespaceName name) {
        return Objects.requireNonNull(views.get(name));
    }

    FeedUnderTest executor(NamespaceName name, String id, Map<String, String> labels) {
        NamespaceView before = view(name);
        TreeMap<ExecutorId, Executor> executors = new TreeMap<>(before.executors());
        Executor executor = new Executor(
                new ExecutorId(id), "p", id + ":1", "host-" + id, new TreeMap<>(labels), Executor.Status.ACTIVE);
        executors.put(executor.id(), executor);
        views.put(name, new NamespaceView(before.namespace(), before.revision() + 1, before.table(), executors));
        return this;
    }

    void change(NamespaceName name, List<Shard> changed, List<ShardKey> removed) {
        NamespaceView before = view(name);
        views.put(
                name,
                new NamespaceView(
                        before.namespace(),
                        before.revision() + 1,
                        before.table().with(changed, removed),
                        before.executors()));
    }

    /** The next owner of a shard. */
    Shard assign(NamespaceName name, String key, String owner) {
        ShardTable table = view(name).table();
        Shard shard = table.find(new ShardKey(key)).orElseGet(() -> table.fresh(new ShardKey(key)));
        Shard next = shard.assignTo(new ExecutorId(owner));
        change(name, List.of(next), List.of());
        return next;
    }

    LiveFeed.Subscription watch() {
        return feed.subscribe(heard::add);
    }

    /** One beat; what was said in it. */
    Optional<JsonObject> beat() {
        heard.clear();
        beat.run();
        if (heard.size() > 1) {
            throw new AssertionError("more than one message in a beat: " + heard);
        }
        return heard.stream().findFirst().map(FeedUnderTest::parse);
    }

    JsonObject snapshot() {
        return parse(feed.snapshotJson());
    }

    private static JsonObject parse(String text) {
        if (text.indexOf('\n') >= 0) {
            throw new AssertionError("not one line: " + text);
        }
        return JsonParser.create(text).readJsonObject();
    }

    static List<JsonObject> objects(JsonObject in, String name) {
        return in.arrayValue(name).orElseThrow(() -> new AssertionError("no " + name + " in " + in)).values().stream()
                .map(value -> value.asObject())
                .toList();
    }

    static List<JsonArray> rows(JsonObject in, String name) {
        return in.arrayValue(name).orElseThrow(() -> new AssertionError("no " + name + " in " + in)).values().stream()
                .map(value -> value.asArray())
                .toList();
    }

    static String text(JsonArray row, int at) {
        return row.get(at).orElseThrow().asString().value();
    }

    static double number(JsonArray row, int at) {
        return row.get(at).orElseThrow().asNumber().doubleValue();
    }

    // ------------------------------------------------------------------ source

    @Override
    public boolean serving() {
        return serving;
    }

    @Override
    public List<NamespaceView> views() {
        return List.copyOf(views.values());
    }

    @Override
    public CompletableFuture<List<Answers.ExecutorDetails>> executors(NamespaceName namespace) {
        asked++;
        return CompletableFuture.completedFuture(view(namespace).executors().values().stream()
                .map(executor -> new Answers.ExecutorDetails(
                        executor, Duration.ofSeconds(9), Duration.ofSeconds(6), 0, 0, 1.5, Optional.empty()))
                .toList());
    }

    @Override
    public CompletableFuture<List<Answers.ReportedLoad>> loads(NamespaceName namespace, ExecutorId executor) {
        asked++;
        return CompletableFuture.completedFuture(loads.getOrDefault(executor, List.of()));
    }

    @Override
    public CompletableFuture<Optional<Answers.ShardDetails>> shard(NamespaceName namespace, ShardKey key) {
        return CompletableFuture.completedFuture(Optional.ofNullable(views.get(namespace))
                .flatMap(view -> view.table().find(key))
                .map(shard -> new Answers.ShardDetails(
                        shard,
                        Optional.empty(),
                        OptionalDouble.empty(),
                        Optional.of(Claim.Activity.RUNNING),
                        "because of \"this\"",
                        Optional.empty(),
                        1)));
    }
}
