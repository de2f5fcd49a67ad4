package io.shardwright.rpc.transport.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.rpc.transport.GrpcTransport;
import io.shardwright.testkit.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Holds every transport to every promise, and the page about it to the truth. */
final class TransportConformanceTest {
    /** Some known faults need luck to show; one showing is enough. */
    private static final int TRIES_TO_SEE_RED = 5;

    private static final List<Line> LINES = Stream.of(
                    ErrorLines.lines(),
                    CancelLines.lines(),
                    FlowLines.lines(),
                    SizeLines.lines(),
                    ConnectionLines.lines(),
                    SecurityLines.lines(),
                    ServiceLines.lines())
            .flatMap(List::stream)
            .toList();

    private final Map<String, Boolean> results = new ConcurrentHashMap<>();

    @TestFactory
    Stream<DynamicTest> everyTransportKeepsItsPromisesAndThePageSaysWhichNot() throws IOException {
        List<KnownRed> knownRed = KnownRed.read();
        Stream<DynamicTest> promises = Stream.of(GrpcTransport.values())
                .flatMap(transport ->
                        LINES.stream().map(line -> test(transport, line, KnownRed.find(knownRed, transport, line))));
        Stream<DynamicTest> page = Stream.of(
                DynamicTest.dynamicTest("known-red.txt names only lines that exist", () -> linesExist(knownRed)),
                DynamicTest.dynamicTest("docs/transports.md says what was measured", () -> comparePage(knownRed)));
        return Stream.concat(promises, page);
    }

    private DynamicTest test(GrpcTransport transport, Line line, Optional<KnownRed> red) {
        String key = TransportsPage.key(transport, line);
        return DynamicTest.dynamicTest(key + (red.isPresent() ? " (known red)" : "") + ": " + line.claim(), () -> {
            if (red.isPresent()) {
                assertTrue(
                        isStillRed(transport, line),
                        () -> key + " holds now; delete it from known-red.txt and write docs/transports.md again");
                results.put(key, false);
            } else {
                line.check().on(transport);
                results.put(key, true);
            }
        });
    }

    private static boolean isStillRed(GrpcTransport transport, Line line) {
        for (int i = 0; i < TRIES_TO_SEE_RED; i++) {
            try {
                line.check().on(transport);
            } catch (Exception | AssertionError expected) {
                return true;
            }
        }
        return false;
    }

    private static void linesExist(List<KnownRed> knownRed) {
        List<String> ids = LINES.stream().map(Line::id).toList();
        assertEquals(
                List.of(),
                knownRed.stream()
                        .map(KnownRed::line)
                        .filter(id -> !ids.contains(id))
                        .toList());
    }

    private void comparePage(List<KnownRed> knownRed) throws IOException {
        String fresh = new TransportsPage(LINES, knownRed, results).text();
        Path page = Checkout.root().resolve("docs/transports.md");
        if (Boolean.getBoolean("shardwright.docs.write")) {
            Files.writeString(page, fresh);
        }
        String checkedIn = Files.exists(page) ? Files.readString(page) : "";
        assertEquals(fresh, checkedIn, page + " is stale; regenerate with -Dshardwright.docs.write=true");
    }
}
