package io.shardwright.domain;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {

    @ParameterizedTest
    @ValueSource(strings = {"", "a\u0000b", "a\nb", "\u007f", "\u0085", "\ud800x"})
    void aShardKeyThatIsEmptyOrHasControlCharactersIsRefused(String key) {
        assertThrows(InvalidField.class, () -> new ShardKey(key));
    }

    @Test
    void aShardKeyMayHave256BytesAndNoMore() {
        assertDoesNotThrow(() -> new ShardKey("x".repeat(256)));
        assertDoesNotThrow(() -> new ShardKey("é".repeat(128)));
        assertDoesNotThrow(() -> new ShardKey("\uD83D\uDE00".repeat(64)));
        assertThrows(InvalidField.class, () -> new ShardKey("x".repeat(257)));
        assertThrows(InvalidField.class, () -> new ShardKey("é".repeat(129)));
    }

    @Test
    void anErrorNamesFieldValueAndRuleWithoutRepeatingALongOrUnprintableValue() {
        InvalidField error = assertThrows(InvalidField.class, () -> new ShardKey("a\n" + "x".repeat(10_000)));
        assertEquals("shard_key", error.field());
        String message = error.toString();
        assertTrue(message.length() < 300, message);
        assertTrue(message.contains("10002 characters"), message);
        assertFalse(message.contains("\n"), message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Upper", "-a", "a-", "a_b", "a/b", "a.b"})
    void aNamespaceNameThatBreaksTheRuleIsRefused(String name) {
        assertThrows(InvalidField.class, () -> new NamespaceName(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a/b", "a b", "a@b", "é"})
    void anExecutorIdThatBreaksTheRuleIsRefused(String id) {
        assertThrows(InvalidField.class, () -> new ExecutorId(id));
    }
}
