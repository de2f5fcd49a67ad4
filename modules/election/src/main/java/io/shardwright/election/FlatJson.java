package io.shardwright.election;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * One JSON object without objects or arrays in it, whose values are kept as text. Enough for an election entry, which
 * {@code etcdctl elect -l} shows to people (R145) and which must never bring a reader down (R160).
 */
final class FlatJson {

    private static final Pattern LITERAL = Pattern.compile("-?[0-9.eE+-]+|true|false|null");
    private static final Pattern HEX = Pattern.compile("[0-9a-fA-F]{4}");
    private static final int MAX_LENGTH = 16 * 1024;

    private final String text;
    private int at;

    private FlatJson(String text) {
        this.text = text;
    }

    /** Returns the members, or empty when the text is anything else than one flat object. */
    static Optional<Map<String, String>> parse(String text) {
        if (text.length() > MAX_LENGTH) {
            return Optional.empty();
        }
        FlatJson parser = new FlatJson(text);
        try {
            Map<String, String> members = parser.object();
            parser.space();
            return parser.at == text.length() ? Optional.of(members) : Optional.empty();
        } catch (Malformed | IndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }

    /** Writes a text as a JSON string. */
    static String quote(String value) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < 0x20) {
                String hex = Integer.toHexString(c);
                quoted.append("\\u").append("0".repeat(4 - hex.length())).append(hex);
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }

    private Map<String, String> object() throws Malformed {
        Map<String, String> members = new TreeMap<>();
        space();
        expect('{');
        space();
        if (text.charAt(at) == '}') {
            at++;
            return members;
        }
        while (true) {
            space();
            String name = string();
            space();
            expect(':');
            space();
            if (members.put(name, text.charAt(at) == '"' ? string() : literal()) != null) {
                throw new Malformed();
            }
            space();
            char next = text.charAt(at++);
            if (next == '}') {
                return members;
            }
            if (next != ',') {
                throw new Malformed();
            }
        }
    }

    /** A number, true, false or null; which of them it is, the reader of the member finds out. */
    private String literal() throws Malformed {
        int start = at;
        while (at < text.length() && ",} \t\r\n".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        String literal = text.substring(start, at);
        if (!LITERAL.matcher(literal).matches()) {
            throw new Malformed();
        }
        return literal;
    }

    private String string() throws Malformed {
        expect('"');
        StringBuilder value = new StringBuilder();
        while (true) {
            char c = text.charAt(at++);
            if (c == '"') {
                return value.toString();
            }
            if (c < 0x20) {
                throw new Malformed();
            }
            value.append(c == '\\' ? escaped() : c);
        }
    }

    private char escaped() throws Malformed {
        char c = text.charAt(at++);
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> {
                String hex = text.substring(at, at + 4);
                if (!HEX.matcher(hex).matches()) {
                    throw new Malformed();
                }
                at += 4;
                yield (char) Integer.parseInt(hex, 16);
            }
            default -> throw new Malformed();
        };
    }

    private void expect(char wanted) throws Malformed {
        if (text.charAt(at++) != wanted) {
            throw new Malformed();
        }
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    /** The text is not what it should be; where does not matter. */
    private static final class Malformed extends Exception {
        private static final long serialVersionUID = 1L;

        Malformed() {
            super("not a flat JSON object", null, false, false);
        }
    }
}
