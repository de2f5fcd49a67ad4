package io.shardwright.server.dashboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.shardwright.proto.v1.DeregisterRequest;
import io.shardwright.proto.v1.ExecutorServiceGrpc;
import io.shardwright.proto.v1.ExecutorServiceGrpc.ExecutorServiceBlockingStub;
import io.shardwright.proto.v1.GetShardOwnerRequest;
import io.shardwright.proto.v1.Label;
import io.shardwright.proto.v1.RegisterRequest;
import io.shardwright.proto.v1.ReleaseRequest;
import io.shardwright.proto.v1.RenewRequest;
import io.shardwright.proto.v1.ShardClaim;
import io.shardwright.proto.v1.ShardEpoch;
import io.shardwright.proto.v1.SpectatorServiceGrpc;
import io.shardwright.server.Server;
import io.shardwright.server.config.ConfigInputs;
import io.shardwright.server.config.ConfigInputs.Flag;
import io.shardwright.server.config.ConfigLoader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The page in a real browser, against a real server. Leaves a picture of what it saw in the build directory. */
class DashboardPageTest {

    private static final String MARKUP = "<img src=x onerror=\"document.title='attacked'\">";
    // The leases outlive a slow machine; nobody renews in between.
    private static final String NAMESPACES = "[{name: orders, kind: fixed, shard-count: 24, lease: 2m},"
            + " {name: sessions, kind: ephemeral, lease: 2m}, {name: vast, kind: fixed, shard-count: 100000, lease: 2m}]";
    private static final Path PICTURES = Path.of("target");

    // A browser may still write to its profile as it ends; what is left goes with the machine's temporary files.
    @TempDir(cleanup = CleanupMode.NEVER)
    @SuppressWarnings("NullAway.Init")
    private static Path profile;

    @SuppressWarnings("NullAway.Init")
    private static Chromium browser;

    @SuppressWarnings("NullAway.Init")
    private Server server;

    @SuppressWarnings("NullAway.Init")
    private ManagedChannel channel;

    @BeforeAll
    static void startBrowser() throws Exception {
        browser = Chromium.start(profile);
    }

    @AfterAll
    static void stopBrowser() {
        browser.close();
    }

    @BeforeEach
    void start() throws Exception {
        start(0);
        browser.forgetComplaints();
    }

    private void start(int httpPort) throws Exception {
        List<Flag> flags = List.of(
                new Flag("--store", "persistence.type", "memory"),
                new Flag("--set", "grpc.bind-address", "127.0.0.1"),
                new Flag("--set", "http.bind-address", "127.0.0.1"),
                new Flag("--grpc-port", "grpc.port", "0"),
                new Flag("--http-port", "http.port", Integer.toString(httpPort)),
                new Flag("--namespace", "namespaces", NAMESPACES));
        server = Server.start(
                ConfigLoader.load(new ConfigInputs(flags, Map.of(), Optional.empty(), Path.of("nowhere"))));
        channel = ManagedChannelBuilder.forAddress("127.0.0.1", server.grpcPort())
                .usePlaintext()
                .build();
    }

    @AfterEach
    void stop() {
        browser.open("about:blank");
        channel.shutdownNow();
        server.close();
    }

    @Test
    void thePageFollowsTheShardsWithoutAReload() throws Exception {
        browser.open("http://127.0.0.1:" + server.httpPort().orElseThrow() + "/#namespace=orders");
        shows("connection", "live", "document.getElementById('connection').textContent");
        shows("what to do when there is no executor", "false", "document.getElementById('no-executors').hidden");
        shows("24 cells of nobody", "24", "document.querySelectorAll('.cell.unowned').length");
        browser.evaluate("window.loadedOnce = true");

        register("e1");
        shows("all cells of the only executor", "24", cellsOf("e1"));
        shows("that it came, among the events", "true", "document.getElementById('events').textContent.includes('e1')");
        List<ShardEpoch> all = renew("e1", 1, List.of());
        register("e2");
        shows("cells that are being released", "12", "document.querySelectorAll('.cell.releasing').length");
        List<ShardEpoch> kept = renew("e1", 2, List.of());
        release("e1", all.stream().filter(shard -> !kept.contains(shard)).toList());
        shows("half of the cells of each", "12", cellsOf("e2"));
        assertEquals("12", browser.evaluate(cellsOf("e1")));
        List<ShardEpoch> given = renew("e2", 1, List.of());
        var ignored = renew("e2", 2, given);
        assertEquals(
                "2",
                browser.evaluate("new Set([...document.querySelectorAll('.cell')]"
                        + ".map(cell => getComputedStyle(cell).getPropertyValue('--c'))).size"));
        shows(
                "two executors",
                "e1, e2",
                "[...document.querySelectorAll('#executors tbody tr')].map(row =>" + " row.dataset.id).join(', ')");
        shows(
                "loads",
                "true",
                "document.querySelector('#executors tbody tr[data-id=e2]').cells[5].textContent === '42'");
        shows("cells filled by their load, on a scale that ends above the highest", "1 91%, 10 45%, 1 6%", """
                ['91%', '45%', '6%'].map(fill =>
                    [...document.querySelectorAll('.cell')].filter(cell => cell.style.getPropertyValue('--fill') === fill).length + ' ' + fill).join(', ')""");
        browser.screenshot(PICTURES.resolve("dashboard.png"));

        var leaving = executors()
                .deregister(DeregisterRequest.newBuilder()
                        .setNamespace("orders")
                        .setExecutorId("e2")
                        .setProcessId("process of e2")
                        .build());
        release("e2", leaving.getToReleaseList());
        shows("all cells of the one that stays", "24", cellsOf("e1"));
        shows("the moves", "true", "document.getElementById('moves').textContent.includes('e2 → e1')");
        shows("one executor", "1", "document.querySelectorAll('#executors tbody tr').length");

        browser.evaluate("document.querySelector('.cell').click()");
        shows(
                "why a shard is where it is",
                "true",
                "document.getElementById('details').textContent.includes('reason')");
        assertEquals("true", browser.evaluate("window.loadedOnce"));
        assertEquals(List.of(), browser.complaints());
    }

    @Test
    void markupInLabelsAndKeysIsShownAsText() throws Exception {
        register("e1");
        register("sessions", "e1");
        var ignored = SpectatorServiceGrpc.newBlockingStub(channel)
                .withDeadlineAfter(20, TimeUnit.SECONDS)
                .getShardOwner(GetShardOwnerRequest.newBuilder()
                        .setNamespace("sessions")
                        .setShardKey(MARKUP)
                        .build());
        browser.open("http://127.0.0.1:" + server.httpPort().orElseThrow() + "/#namespace=orders");
        shows("the label", "true", "document.getElementById('executors').textContent.includes('<img')");
        browser.evaluate("document.querySelector('[data-name=sessions]').click()");
        shows("the key", MARKUP, "document.querySelector('.cell')?.dataset.key");
        browser.evaluate("document.querySelector('.cell').focus()");
        browser.evaluate("document.querySelector('.cell').click()");
        shows(
                "the key in the details",
                "true",
                "document.getElementById('details').textContent.includes('<img') &&"
                        + " document.getElementById('tip').textContent.includes('reason')");

        assertEquals("0", browser.evaluate("document.querySelectorAll('img').length"));
        assertEquals("Shardwright", browser.evaluate("document.title"));
        assertEquals(List.of(), browser.complaints());
    }

    @Test
    void aHundredThousandShardsLeaveThePageResponsive() throws Exception {
        browser.open("http://127.0.0.1:" + server.httpPort().orElseThrow() + "/#namespace=vast");
        shows("a canvas", "1", "document.querySelectorAll('#cells canvas').length");
        assertEquals("0", browser.evaluate("document.querySelectorAll('.cell').length"));
        String unowned = pixels();
        double before = browser.cpuSeconds();

        register("vast", "e1");
        shows(
                "no unowned shard",
                "false",
                "document.querySelector('[data-name=vast]').textContent.includes('unowned')");
        Awaitility.await("other colours").until(() -> !pixels().equals(unowned));
        double used = browser.cpuSeconds() - before;
        assertTrue(used < 4, "a new owner for every shard kept the page busy for " + used + " s");
        browser.screenshot(PICTURES.resolve("dashboard-vast.png"));
        assertEquals(List.of(), browser.complaints());
    }

    @Test
    void thePageSaysThatItsDataIsOldAndCatchesUpWhenTheServerIsBack() throws Exception {
        int port = server.httpPort().orElseThrow();
        register("e1");
        browser.open("http://127.0.0.1:" + port + "/#namespace=orders");
        shows("the cells", "24", cellsOf("e1"));
        server.close();
        channel.shutdownNow();
        shows(
                "that it is not live",
                "true",
                "document.getElementById('connection').textContent.startsWith('reconnecting')");
        assertEquals("24", browser.evaluate(cellsOf("e1")), "the last state stays visible");

        start(port);
        shows("the state of the new server", "24", "document.querySelectorAll('.cell.unowned').length");
        shows("that it is live", "live", "document.getElementById('connection').textContent");
    }

    private String pixels() {
        return browser.evaluate("(() => {"
                + " const copy = new OffscreenCanvas(40, 40).getContext('2d', { willReadFrequently: true });"
                + " copy.drawImage(document.querySelector('#cells canvas'), 0, 0);"
                + " return copy.getImageData(0, 0, 40, 40).data.join(); })()");
    }

    private static String cellsOf(String executor) {
        return "document.querySelectorAll('.cell[data-owner=" + executor + "]:not(.releasing)').length";
    }

    private void shows(String what, String expected, String expression) throws IOException {
        try {
            Awaitility.await(what)
                    .atMost(Duration.ofSeconds(15))
                    .pollInterval(Duration.ofMillis(50))
                    .untilAsserted(() -> assertEquals(expected, browser.evaluate(expression)));
        } catch (RuntimeException e) {
            browser.screenshot(PICTURES.resolve("dashboard-failed.png"));
            throw new AssertionError(
                    "the page does not show " + what + "; see target/dashboard-failed.png; it complained: "
                            + browser.complaints(),
                    e);
        }
    }

    private ExecutorServiceBlockingStub executors() {
        return ExecutorServiceGrpc.newBlockingStub(channel).withDeadlineAfter(20, TimeUnit.SECONDS);
    }

    private void register(String id) {
        register("orders", id);
    }

    private void register(String namespace, String id) {
        var ignored = executors()
                .register(RegisterRequest.newBuilder()
                        .setNamespace(namespace)
                        .setExecutorId(id)
                        .setProcessId("process of " + id)
                        .setAddress(id + ".example:7000")
                        .setHost("host-" + id)
                        .addLabels(Label.newBuilder().setKey("note").setValue(MARKUP))
                        .build());
    }

    /** One shard with twice the load of most, one without any. */
    private static double load(int position) {
        return position == 0 ? 7 : position == 1 ? 0 : 3.5;
    }

    /** Renews in "orders" and says what the executor's set is; twelve claimed shards have a load of 42 together. */
    private List<ShardEpoch> renew(String id, long sequence, List<ShardEpoch> claims) {
        return executors()
                .renew(RenewRequest.newBuilder()
                        .setNamespace("orders")
                        .setExecutorId(id)
                        .setProcessId("process of " + id)
                        .setSequence(sequence)
                        .addAllClaims(claims.stream()
                                .map(shard -> ShardClaim.newBuilder()
                                        .setShardKey(shard.getShardKey())
                                        .setEpoch(shard.getEpoch())
                                        .setLoad(load(claims.indexOf(shard)))
                                        .build())
                                .toList())
                        .build())
                .getAssignment()
                .getShardsList();
    }

    private void release(String id, List<ShardEpoch> shards) {
        var ignored = executors()
                .release(ReleaseRequest.newBuilder()
                        .setNamespace("orders")
                        .setExecutorId(id)
                        .setProcessId("process of " + id)
                        .addAllShards(shards)
                        .build());
    }
}
