package io.shardwright.rpc.transport.conformance;

import io.shardwright.rpc.transport.GrpcTransport;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * A promise that a transport is known to break; read from {@code known-red.txt}.
 *
 * @param line the line's id
 * @param observed what happens instead
 */
record KnownRed(GrpcTransport transport, String line, String observed) {

    static List<KnownRed> read() throws IOException {
        try (InputStream file = KnownRed.class.getResourceAsStream("known-red.txt")) {
            if (file == null) {
                throw new IOException("known-red.txt is not among the test resources; restore it");
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(KnownRed::parse)
                    .toList();
        }
    }

    static Optional<KnownRed> find(List<KnownRed> all, GrpcTransport transport, Line line) {
        return all.stream()
                .filter(red -> red.transport() == transport && red.line().equals(line.id()))
                .findFirst();
    }

    private static KnownRed parse(String text) {
        List<String> fields =
                List.of(text.split("\\|", -1)).stream().map(String::strip).toList();
        if (fields.size() != 3) {
            throw new IllegalArgumentException("known-red.txt: '" + text + "' must be transport | line | observation");
        }
        return new KnownRed(GrpcTransport.valueOf(fields.get(0)), fields.get(1), fields.get(2));
    }
}
