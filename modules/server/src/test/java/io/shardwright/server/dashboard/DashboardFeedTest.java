package io.shardwright.server.dashboard;

import static io.shardwright.server.dashboard.FeedUnderTest.ORDERS;
import static io.shardwright.server.dashboard.FeedUnderTest.number;
import static io.shardwright.server.dashboard.FeedUnderTest.objects;
import static io.shardwright.server.dashboard.FeedUnderTest.rows;
import static io.shardwright.server.dashboard.FeedUnderTest.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helidon.json.JsonArray;
import io.helidon.json.JsonObject;
import io.helidon.json.JsonParser;
import io.shardwright.control.Answers;
import io.shardwright.control.ControlEvent;
import io.shardwright.domain.ExecutorId;
import io.shardwright.domain.Namespace;
import io.shardwright.domain.NamespaceName;
import io.shardwright.domain.Shard;
import io.shardwright.domain.ShardKey;
import io.shardwright.server.http.LiveFeed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class DashboardFeedTest {

    private static final NamespaceName SESSIONS = new NamespaceName("sessions");
    private static final String MARKUP = "</script><img src=x onerror='x()'>\"\\\u2028é\uD83D\uDE00";

    private final FeedUnderTest test = new FeedUnderTest().fixed(ORDERS, 4);

    @Test
    void aSnapshotShowsNamespacesExecutorsAndShards() {
        test.executor(ORDERS, "e1", Map.of("zone", "a"));
        test.assign(ORDERS, "1", "e1");
        Shard second = test.assign(ORDERS, "2", "e1");
        test.change(
                ORDERS, List.of(second.release(new ExecutorId("e1"), Optional.of(new ExecutorId("e2")))), List.of());

        JsonObject orders = objects(test.snapshot(), "whole").getFirst();

        assertEquals("orders", orders.stringValue("name", ""));
        assertEquals("host-e1", objects(orders, "executors").getFirst().stringValue("host", ""));
        assertEquals(9000, number(rows(orders, "figures").getFirst(), 1));
        assertEquals("[\"0\",0]", rows(orders, "shards").get(0).toString());
        assertEquals("[\"1\",1,0]", rows(orders, "shards").get(1).toString());
        assertEquals("[\"2\",1,0,1]", rows(orders, "shards").get(2).toString());
        assertEquals("[\"e1\",\"e2\"]", orders.arrayValue("names").orElseThrow().toString());
    }

    @Test
    void manyChangesBetweenTwoBeatsAreOneRow() {
        test.watch();
        test.assign(ORDERS, "3", "e1");
        test.assign(ORDERS, "3", "e2");
        test.assign(ORDERS, "3", "e3");

        JsonObject orders = objects(test.beat().orElseThrow(), "changed").getFirst();

        assertEquals(
                List.of("[\"3\",3,0]"),
                rows(orders, "shards").stream().map(JsonArray::toString).toList());
        assertEquals("[\"e3\"]", orders.arrayValue("names").orElseThrow().toString());
        assertEquals(Optional.empty(), test.beat(), "nothing new, nothing said");
    }

    @Test
    void nothingIsAskedOrSaidWhileNobodyWatches() {
        test.executor(ORDERS, "e1", Map.of());
        test.assign(ORDERS, "0", "e1");
        assertFalse(test.beating);
        assertEquals(0, test.asked);

        LiveFeed.Subscription first = test.watch();
        LiveFeed.Subscription second = test.watch();
        assertTrue(test.beating);
        first.cancel();
        first.cancel();
        test.feed.subscribe(text -> {}).cancel();
        assertEquals(1, test.beat().stream().count(), "the second one still watches");
        second.cancel();
        int asked = test.asked;

        assertEquals(Optional.empty(), test.beat());
        assertFalse(test.beating);
        assertEquals(asked, test.asked);

        test.assign(ORDERS, "1", "e1");
        test.watch();
        assertTrue(test.beating);
        assertEquals(List.of(), rowsOf(test.beat().orElseThrow()), "the snapshot told what happened in between");
    }

    @Test
    void leasesAndLoadsComeOnceASecondAndLoadsOnlyWhenTheyChanged() {
        test.executor(ORDERS, "e1", Map.of());
        test.assign(ORDERS, "0", "e1");
        test.assign(ORDERS, "1", "e1");
        test.loads.put(new ExecutorId("e1"), List.of(load("0", 2.00001), load("1", 7)));
        test.watch();

        JsonObject first = objects(test.beat().orElseThrow(), "changed").getFirst();
        assertEquals(
                List.of("0 2.0", "1 7.0"),
                rows(first, "loads").stream()
                        .map(row -> text(row, 0) + " " + number(row, 1))
                        .toList());
        test.loads.put(new ExecutorId("e1"), List.of(load("0", 2.00002), load("1", 8)));
        for (int beat = 1; beat < DashboardFeed.FIGURES_EVERY; beat++) {
            assertEquals(Optional.empty(), test.beat());
        }
        JsonObject fifth = objects(test.beat().orElseThrow(), "changed").getFirst();
        assertEquals(1, rows(fifth, "figures").size());
        assertEquals(
                List.of("1"),
                rows(fifth, "loads").stream().map(row -> text(row, 0)).toList());
        assertEquals(
                2, rows(objects(test.snapshot(), "whole").getFirst(), "loads").size());
    }

    @Test
    void aChangeOfEverythingIsToldInSeveralMessages() {
        int count = 3 * DashboardFeed.MAX_ROWS;
        test.fixed(ORDERS, count);
        test.watch();
        List<Shard> all = new ArrayList<>();
        test.view(ORDERS).table().forEach(shard -> all.add(shard.assignTo(new ExecutorId("e1"))));
        test.change(ORDERS, all, List.of());

        TreeSet<String> told = new TreeSet<>();
        int messages = 0;
        for (Optional<JsonObject> message = test.beat(); !rowsOf(message).isEmpty(); message = test.beat()) {
            messages++;
            assertTrue(rowsOf(message).size() < 1.1 * DashboardFeed.MAX_ROWS);
            rowsOf(message).forEach(row -> told.add(text(row, 0)));
        }
        assertEquals(count, told.size());
        assertEquals(3, messages);
    }

    @Test
    void namespacesComeGoAndAreReplaced() {
        test.watch();
        test.put(new Namespace(SESSIONS, new Namespace.Kind.Ephemeral(), Duration.ofSeconds(5), "naive"));
        assertEquals(
                "sessions",
                objects(test.beat().orElseThrow(), "whole").getFirst().stringValue("name", ""));

        test.assign(SESSIONS, "b", "e1");
        test.assign(SESSIONS, "a", "e1");
        assertEquals(2, rowsOf(test.beat()).size());
        test.change(SESSIONS, List.of(), List.of(new ShardKey("a")));
        assertEquals(
                "[\"a\"]",
                objects(test.beat().orElseThrow(), "changed")
                        .getFirst()
                        .arrayValue("removed")
                        .orElseThrow()
                        .toString());

        test.fixed(ORDERS, 9);
        assertEquals(
                9,
                rows(objects(test.beat().orElseThrow(), "whole").getFirst(), "shards")
                        .size());
        test.views.remove(ORDERS);
        assertEquals(
                "[\"orders\"]",
                test.beat().orElseThrow().arrayValue("gone").orElseThrow().toString());
    }

    @Test
    void theLastTwoHundredEventsAndMovesAreRemembered() {
        for (int i = 0; i < 250; i++) {
            test.feed.event(new ControlEvent.ExecutorLeaving(ORDERS, new ExecutorId("e" + i)));
            Optional<Shard> before = test.view(ORDERS).table().find(new ShardKey("0"));
            test.feed.event(
                    new ControlEvent.ShardChanged(ORDERS, before, test.assign(ORDERS, "0", "e" + i), "why " + i));
        }
        JsonObject snapshot = test.snapshot();

        List<JsonObject> moves = objects(snapshot, "moves");
        assertEquals(200, moves.size());
        assertEquals(250, snapshot.intValue("moveCount", 0));
        assertEquals("e248", moves.getLast().stringValue("from", ""));
        assertEquals("e249", moves.getLast().stringValue("to", ""));
        assertEquals("why 249", moves.getLast().stringValue("reason", ""));
        assertEquals(200, objects(snapshot, "events").size());
        assertTrue(
                objects(snapshot, "events").getFirst().stringValue("text", "").startsWith("executor e50 "));
    }

    @Test
    void eventsAreToldOnceAndOnlyThoseAfterTheSnapshot() {
        test.feed.servingChanged(true);
        test.watch();
        assertEquals(List.of(), objects(test.beat().orElseThrow(), "events"));
        test.feed.event(new ControlEvent.StoreTrouble(ORDERS, "x".repeat(10_000)));

        JsonObject event = objects(test.beat().orElseThrow(), "events").getFirst();

        assertTrue(event.booleanValue("warning", false));
        assertTrue(event.stringValue("text", "").length() < 600, "long messages are cut");
        assertEquals(Optional.empty(), test.beat());
    }

    @Test
    void theEndOfServingIsTold() {
        test.watch();
        test.beat();
        test.serving = false;
        test.views.clear();

        JsonObject message = test.beat().orElseThrow();

        assertFalse(message.booleanValue("serving", true));
        assertEquals("[\"orders\"]", message.arrayValue("gone").orElseThrow().toString());
    }

    @Test
    void whatUsersNamedArrivesAsTheyWroteIt() {
        test.put(new Namespace(SESSIONS, new Namespace.Kind.Ephemeral(), Duration.ofSeconds(5), "naive"));
        test.executor(SESSIONS, "e1", Map.of("note", MARKUP, "long", "y".repeat(4000)));
        test.assign(SESSIONS, MARKUP, "e1");

        JsonObject sessions = objects(test.snapshot(), "whole").get(1);

        assertEquals(MARKUP, text(rows(sessions, "shards").getFirst(), 0));
        List<JsonArray> labels = rows(objects(sessions, "executors").getFirst(), "labels");
        assertEquals(MARKUP, text(labels.get(1), 1));
        assertEquals(120, text(labels.get(0), 1).length(), "long labels are cut");
    }

    @Test
    void aShardIsExplainedAndAnUnknownOneIsNot() {
        JsonObject shard = JsonParser.create(test.feed.shardJson("orders", "3").orElseThrow())
                .readJsonObject();

        assertEquals("because of \"this\"", shard.stringValue("reason", ""));
        assertEquals(Optional.empty(), test.feed.shardJson("orders", "4"));
        assertEquals(Optional.empty(), test.feed.shardJson("nowhere", "3"));
        assertEquals(Optional.empty(), test.feed.shardJson("", "\n"));
    }

    private static Answers.ReportedLoad load(String key, double load) {
        return new Answers.ReportedLoad(new ShardKey(key), load);
    }

    private static List<JsonArray> rowsOf(JsonObject message) {
        return objects(message, "changed").stream()
                .flatMap(namespace -> rows(namespace, "shards").stream())
                .toList();
    }

    private static List<JsonArray> rowsOf(Optional<JsonObject> message) {
        return message.map(DashboardFeedTest::rowsOf).orElse(List.of());
    }
}
