package io.shardwright.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonParser;
import io.grpc.Status;
import io.shardwright.proto.v1.ListNamespacesResponse;
import io.shardwright.proto.v1.RoutingEvent;
import io.shardwright.proto.v1.RoutingSnapshot;
import java.io.IOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Exit codes, the sentences that go with them, redirects to the leader, and the environment. */
final class FailuresTest {
    private final FakeServer server = new FakeServer();

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void anUnknownNamespaceIsExitCode3WithTheServersSentenceAndReason() {
        server.fail(FakeServer.error(
                Status.Code.NOT_FOUND,
                "namespace 'nope' does not exist; create it first",
                FakeServer.info("NAMESPACE_NOT_FOUND", "namespace", "nope")));
        Run run = Run.of("-a", server.address(), "-n", "nope", "executor", "list");
        assertEquals(
                new Run(3, "", "shardctl: namespace 'nope' does not exist; create it first [NAMESPACE_NOT_FOUND]\n"),
                run);
    }

    @Test
    void errorsAreOneLineOfJsonWhenResultsAre() {
        server.fail(FakeServer.error(
                Status.Code.FAILED_PRECONDITION,
                "namespace 'orders' has 2 executors; stop them first",
                FakeServer.info("NAMESPACE_IN_USE", "executors", "2")));
        Run run = Run.of("-a", server.address(), "-o", "json", "namespace", "delete", "orders", "--yes");
        assertEquals(1, run.exitCode());
        assertEquals("", run.out());
        assertEquals(
                "{\"error\":{\"code\":\"FAILED_PRECONDITION\",\"reason\":\"NAMESPACE_IN_USE\","
                        + "\"message\":\"namespace 'orders' has 2 executors; stop them first\","
                        + "\"metadata\":{\"executors\":\"2\"},\"exitCode\":1}}\n",
                run.err());
    }

    @Test
    void aRefusedConnectionNamesTheAddressAndWhatToDo() throws IOException {
        int unused;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            unused = socket.getLocalPort();
        }
        Run run = Run.of("-a", "127.0.0.1:" + unused, "namespace", "list");
        assertEquals(4, run.exitCode());
        assertEquals(
                "shardctl: cannot connect to 127.0.0.1:" + unused
                        + ": connection refused; start a server there, or name another one with --address or SHARDCTL_ADDRESS"
                        + " [UNAVAILABLE]\n",
                run.err());
    }

    @Test
    void aServerThatNeverAnswersIsGivenUpAfterTheTimeout() {
        Run run = Run.of("-a", server.address(), "--timeout", "300ms", "namespace", "list");
        assertEquals(4, run.exitCode());
        assertTrue(run.err().contains("no answer from " + server.address() + " within 300ms"), run.err());
    }

    @Test
    @Tag("R96")
    void aStandbyIsLeftForTheLeaderThatItNames() {
        try (FakeServer leader = new FakeServer()) {
            server.fail(leader.namesMe());
            leader.answer(ListNamespacesResponse.getDefaultInstance());
            Run run = Run.of("-a", server.address(), "namespace", "list");
            assertEquals(0, run.exitCode(), run.err());
            assertEquals(1, leader.requests.size());
        }
    }

    @Test
    @Tag("R96")
    void replicasThatNameEachOtherAreNotFollowedForEver() {
        for (int i = 0; i < 10; i++) {
            server.fail(server.namesMe());
        }
        Run run = Run.of("-a", server.address(), "namespace", "list");
        assertEquals(4, run.exitCode());
        assertTrue(run.err().contains("[NOT_LEADER]"), run.err());
        assertEquals(3, server.requests.size());
    }

    @Test
    void everyWrongCommandLineIsExitCode2AndSaysWhy() {
        Map.of(
                        "--address here namespace list", "'here' is no address",
                        "--address here:0 namespace list", "port from 1 to 65535",
                        "--address http://here:1 namespace list", "write host:port",
                        "--timeout 0s namespace list", "'0s' is no duration",
                        "--output xml namespace list", "--output",
                        "executor list", "add --namespace NAME or set SHARDCTL_NAMESPACE",
                        "namespace create orders", "--shards",
                        "namespace create orders --shards 0", "--shards 0 is out of range",
                        "namespace", "missing required subcommand",
                        "namespace lst", "Did you mean: namespace l")
                .forEach((line, expected) -> {
                    Run run = Run.of(line.split(" "));
                    assertEquals(2, run.exitCode(), line);
                    assertTrue(run.err().contains(expected), line + ": " + run.err());
                    assertEquals("", run.out(), line);
                });
    }

    @Test
    void wrongTlsOptionsAreExitCode2() {
        for (List<String> line : List.of(
                List.of("--server-name", "x", "namespace", "list"),
                List.of("--tls", "--ca-cert", "/does/not/exist", "namespace", "list"),
                List.of("--tls", "--cert", "pom.xml", "namespace", "list"))) {
            Run run = Run.of(line.toArray(String[]::new));
            assertEquals(2, run.exitCode(), run.err());
        }
    }

    @Test
    void aWrongCommandLineIsJsonTooWhenJsonIsAskedFor() {
        for (Run run : List.of(
                Run.of("--output=json", "namespace", "lst"),
                Run.of("-ojson", "namespace", "lst"),
                Run.of("namespace", "lst", "-o", "JSON"),
                Run.with(Map.of("SHARDCTL_OUTPUT", "json"), "", "namespace", "lst"))) {
            assertEquals(2, run.exitCode());
            assertEquals(
                    "USAGE",
                    JsonParser.parseString(run.err())
                            .getAsJsonObject()
                            .getAsJsonObject("error")
                            .get("code")
                            .getAsString());
        }
    }

    @Test
    void theEnvironmentGivesDefaultsAndTheCommandLineBeatsThem() {
        server.answer(ListNamespacesResponse.getDefaultInstance());
        Run run = Run.with(
                Map.of("SHARDCTL_ADDRESS", server.address(), "SHARDCTL_OUTPUT", "json"), "", "namespace", "list");
        assertEquals(0, run.exitCode(), run.err());
        assertEquals("{\"namespaces\":[]}", JsonParser.parseString(run.out()).toString());

        server.answer(ListNamespacesResponse.getDefaultInstance());
        Run beaten = Run.with(
                Map.of("SHARDCTL_ADDRESS", "127.0.0.1:1", "SHARDCTL_OUTPUT", "json", "SHARDCTL_TLS", "true"),
                "",
                "-a",
                server.address(),
                "namespace",
                "list",
                "--no-tls",
                "-o",
                "table");
        assertEquals(0, beaten.exitCode(), beaten.err());
        assertTrue(beaten.out().startsWith("NAME"), beaten.out());
    }

    @Test
    void aWrongValueFromTheEnvironmentNamesItsVariable() {
        Run run = Run.with(Map.of("SHARDCTL_TIMEOUT", "soon"), "", "namespace", "list");
        assertEquals(2, run.exitCode());
        assertTrue(run.err().contains("(the value of SHARDCTL_TIMEOUT)"), run.err());
    }

    @Test
    void anEmptyVariableIsNoValue() {
        Run run = Run.with(Map.of("SHARDCTL_NAMESPACE", "", "SHARDCTL_TIMEOUT", ""), "", "executor", "list");
        assertTrue(run.err().contains("no namespace is named"), run.err());
    }

    @Test
    void aHostThatDoesNotExistIsOneLineAndGrpcLogsNothing() {
        List<String> logged = new CopyOnWriteArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord message) {
                logged.add(message.getLoggerName() + ": " + message.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger root = Logger.getLogger("");
        root.addHandler(handler);
        try {
            // Longer than a label may be, so that no name server is asked.
            String host = "x".repeat(64) + ".invalid:9";
            Run run = Run.of("--address", host, "-o", "json", "namespace", "list");
            assertEquals(4, run.exitCode(), run.err());
            assertEquals(1, run.err().lines().count(), run.err());
            assertTrue(run.err().contains("cannot find the host of " + host), run.err());
            assertEquals(List.of(), logged);
        } finally {
            root.removeHandler(handler);
        }
    }

    @Test
    void aPortThatSpeaksHttpOnlyIsNamedWithTheRemedy() throws IOException {
        try (ServerSocket http = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> refuseAll(http));
            String address = "127.0.0.1:" + http.getLocalPort();
            Run run = Run.of("-a", address, "namespace", "list");
            assertEquals(4, run.exitCode(), run.err());
            assertEquals(
                    "shardctl: " + address + " answers, but not in gRPC; is this the gRPC port of a server (9002 by"
                            + " default), and not its HTTP port? Correct --address or SHARDCTL_ADDRESS [UNAVAILABLE]\n",
                    run.err());
        }
    }

    private static void refuseAll(ServerSocket http) {
        try {
            while (true) {
                Socket client = http.accept();
                client.getOutputStream()
                        .write("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"
                                .getBytes(StandardCharsets.US_ASCII));
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    @Test
    void aResultThatCouldNotBeWrittenIsNoSuccess() {
        for (String line : List.of("namespace list", "version", "namespace --help", "completion bash")) {
            server.answer(ListNamespacesResponse.getDefaultInstance());
            Run run = Run.onto(new FullDevice(), Map.of("SHARDCTL_ADDRESS", server.address()), "", line.split(" "));
            assertEquals(1, run.exitCode(), line + run.err());
            assertTrue(run.err().startsWith("shardctl: the result could not be written to standard output"), run.err());
        }
    }

    @Test
    void aWatchEndsWhenNobodyReadsIt() {
        for (String format : List.of("table", "json")) {
            server.stream(new FakeServer.Script(
                    List.of(RoutingEvent.newBuilder()
                            .setIncarnation("s1")
                            .setSnapshot(
                                    RoutingSnapshot.newBuilder().setFirst(true).setLast(true))
                            .build()),
                    Optional.empty()));
            String[] watch = {"-a", server.address(), "-o", format, "watch", "-n", "orders", "--for", "1h"};
            Run run = assertTimeoutPreemptively(
                    Duration.ofSeconds(30), () -> Run.onto(new FullDevice(), Map.of(), "", watch));
            assertEquals(1, run.exitCode(), run.err());
        }
    }

    /** Like {@code /dev/full}. */
    private static final class FullDevice extends Writer {
        @Override
        public void write(char[] text, int offset, int length) throws IOException {
            throw new IOException("No space left on device");
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    @Test
    void anUnknownVariableOfOursIsWarnedAboutWithTheNearestKnownOne() {
        Run run = Run.with(Map.of("SHARDCTL_ADRESS", "x:1", "OTHER_ADRESS", "x:1", "SHARDCTL_KEY", ""), "", "version");
        assertEquals(0, run.exitCode());
        assertEquals(
                "shardctl: warning: the environment variable SHARDCTL_ADRESS is unknown and has no effect; did you mean"
                        + " SHARDCTL_ADDRESS?\n",
                run.err());
        Run json = Run.with(Map.of("SHARDCTL_NAMSPACE", "x"), "", "version", "-o", "json");
        assertTrue(
                JsonParser.parseString(json.err())
                        .getAsJsonObject()
                        .get("warning")
                        .getAsString()
                        .endsWith("did you mean SHARDCTL_NAMESPACE?"),
                json.err());
    }
}
