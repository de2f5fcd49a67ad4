package io.shardwright.canary;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

final class DemoCommandTest {

    private final CommandLine line = new CommandLine(new DemoCommand());

    @Test
    @Tag("R177")
    void aStoreThatServersShareIsRefusedByTheDemoWhoseOneServerWouldWaitForOthers() {
        ParameterException refused = assertThrows(
                ParameterException.class,
                () -> DemoCommand.refuseSharedStore(line, Map.of("SHARDWRIGHT__PERSISTENCE__TYPE", "etcd")));
        assertEquals(
                "SHARDWRIGHT__PERSISTENCE__TYPE: etcd is not for the demo, which keeps its state in SQLite and has one server;"
                        + " unset it, or start servers with: shardwright server --store etcd",
                refused.getMessage());
        assertDoesNotThrow(() -> DemoCommand.refuseSharedStore(line, Map.of()));
        assertDoesNotThrow(
                () -> DemoCommand.refuseSharedStore(line, Map.of("SHARDWRIGHT__PERSISTENCE__TYPE", "SQLite")));
    }
}
