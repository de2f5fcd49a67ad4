package io.shardwright.proto;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The reference page is made from the .proto files; {@code -Dshardwright.docs.write=true} writes it anew. */
class ApiReferenceTest {

    private static final Path PROTOS = Path.of("src/main/proto/shardwright/v1");
    private static final Path PAGE = Path.of("../docs/api.md");
    private static final List<String> ORDER = List.of("executor", "spectator", "admin", "common", "errors");

    @Test
    void everyElementOfTheWireApiIsCommented() throws IOException {
        List<String> uncommented = new ArrayList<>();
        for (String name : ORDER) {
            uncommented.addAll(ProtoPage.read(PROTOS.resolve(name + ".proto")).uncommented());
        }
        assertEquals(List.of(), uncommented);
    }

    @Test
    void everyFieldSaysItsUnitAndWhatItsAbsenceMeans() throws IOException {
        List<String> vague = new ArrayList<>();
        for (String name : ORDER) {
            vague.addAll(ProtoPage.read(PROTOS.resolve(name + ".proto")).vague());
        }
        assertEquals("", String.join("\n", vague));
    }

    @Test
    void everyFileIsOnThePage() throws IOException {
        try (var files = Files.list(PROTOS)) {
            assertEquals(ORDER.size(), files.count(), "a new .proto file belongs into ORDER of this test");
        }
    }

    @Test
    void theReferencePageSaysWhatTheFilesSay() throws IOException {
        StringBuilder page = new StringBuilder(
                "# The wire API\n\nMade from `proto/src/main/proto` by `ApiReferenceTest`; do not edit.\n"
                        + "The server also serves gRPC health and reflection, so `grpcurl -plaintext 127.0.0.1:9002 describe` works.\n\n");
        for (String name : ORDER) {
            page.append(ProtoPage.read(PROTOS.resolve(name + ".proto")).markdown());
        }
        if (Boolean.getBoolean("shardwright.docs.write")) {
            Files.writeString(PAGE, page);
        }
        assertTrue(Files.exists(PAGE), "docs/api.md is missing; write it with -Dshardwright.docs.write=true");
        assertEquals(page.toString(), Files.readString(PAGE), "write the page anew with -Dshardwright.docs.write=true");
    }
}
