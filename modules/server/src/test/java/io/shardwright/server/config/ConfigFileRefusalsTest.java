package io.shardwright.server.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files that are not what they should be. */
final class ConfigFileRefusalsTest {
    @TempDir
    Path directory;

    @ParameterizedTest(name = "{1}")
    @CsvSource(delimiter = '|', textBlock = """
          'grpc:\n  port: [1'            | line 2, column 11: is not valid YAML: expected ',' or ']'
          'grpc: {port: 9002, gra'       | line 1, column 23: is not valid YAML: expected ',' or '}'
          'grpc:\n  port: "90'           | line 2, column 12: is not valid YAML: found unexpected end of stream
          'grpc:\n\tport: 1'             | line 2, column 1: is not valid YAML: found character
          'grpc:\n  port: 1\n port: 2'   | line 3, column 2: is not valid YAML: expected <block end>
          'grpc:\n  port: 1\n  port: 2'  | line 3, column 3: is not valid YAML: the key stands here a second time
          'a: 1\n---\nb: 2'              | line 3, column 1: is not valid YAML: a second document begins here
          '- a\n- b'                     | line 1: is not a map of keys.
          'hello'                        | line 1: is not a map of keys.
          'x: &x {y: *x}'                | nested more than 20 deep, or an alias that contains itself
          ''                             | is empty, as a file is that was not written to its end.
          '  \n\n'                       | is empty, as a file is that was not written to its end.
          """)
    void aBrokenFileIsNamedWithLineAndColumn(String text, String problem) {
        List<String> faults = TestInputs.in(directory).yaml(text).faults();
        assertEquals(1, faults.size(), faults::toString);
        assertTrue(faults.getFirst().startsWith(directory.resolve("shardwright.yaml") + ": "), faults::toString);
        assertTrue(faults.getFirst().contains(problem), faults::toString);
    }

    @Test
    void aFileCutOffByACrashIsRefused() throws Exception {
        byte[] text = "grpc:\n  port: 9100\n".getBytes(StandardCharsets.UTF_8);
        byte[] cut = java.util.Arrays.copyOf(text, text.length + 100);
        Files.write(directory.resolve("shardwright.yaml"), cut);
        assertTrue(TestInputs.in(directory).faults().getFirst().contains("not YAML text (a control character"));
    }

    @Test
    void aFileThatIsNotTextIsRefused() throws Exception {
        Files.write(directory.resolve("shardwright.yaml"), new byte[] {'a', ':', ' ', (byte) 0xff});
        assertTrue(TestInputs.in(directory).faults().getFirst().contains("is not UTF-8 text. Save it as UTF-8."));
    }

    @Test
    void aFileThatIsNamedHasToExist() {
        Path missing = directory.resolve("missing.yaml");
        assertEquals(
                List.of(
                        missing
                                + ": does not exist. Check the path and its permissions, or leave out --config and SHARDWRIGHT_CONFIG."),
                TestInputs.in(directory).configFile(missing).faults());
    }

    @Test
    void aDirectoryIsNotAFile() {
        assertEquals(
                List.of(directory + ": is a directory, not a file. Name the YAML file in it."),
                TestInputs.in(directory).configFile(directory).faults());
    }

    @Test
    void aFileThatMayNotBeReadIsCalledThat() {
        assertEquals("may not be read by this user.", FileLayer.problem(new AccessDeniedException("x")));
        assertEquals("cannot be read: Input/output error.", FileLayer.problem(new IOException("Input/output error")));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
          'grpc:\n  port:'          | grpc.port | :2): stands without a value.
          'grpc:\n  port: ~'        | grpc.port | :2): stands without a value.
          'grpc:\n  port: [1]'      | grpc.port | :2): is a list or a map, but must be a port
          'grpc: 9002'              | grpc | :1): is a group of keys, not a value.
          'grpc: [9002]'            | grpc | :1): is a group of keys, not a value.
          'grpc.port: 1\ngrpc:\n  port: 2' | grpc.port | :3): stands twice in the file.
          'grpc:\n  port:\n    number: 1' | grpc.port | :3): is a list or a map, but must be a port
          '<<: {grpc.port: 1}'      | <<.grpc.port | :1): is not a known key.
          'foo: {}'                 | foo | :1): is not a known key.
          """)
    void aValueOfTheWrongShapeIsNamedWithItsLine(String text, String key, String problem) {
        List<String> faults = TestInputs.in(directory).yaml(text).faults();
        assertEquals(1, faults.size(), faults::toString);
        assertTrue(faults.getFirst().startsWith(key + " ("), faults::toString);
        assertTrue(faults.getFirst().contains(problem), faults::toString);
    }
}
