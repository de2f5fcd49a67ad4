package io.shardwright.cli.call;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a server listens: a host name or an IP address, and a port from 1 to 65535.
 *
 * @param host name or address, without brackets
 * @param port 1 to 65535
 */
public record Address(String host, int port) {
    private static final Pattern FORM = Pattern.compile("(?:\\[([0-9A-Fa-f:.%]+)]|([^\\s:/\\[\\]@]+)):([0-9]{1,5})");
    private static final int MAX_PORT = 65_535;

    public Address {
        if (host.isEmpty() || port < 1 || port > MAX_PORT) {
            throw new IllegalArgumentException(
                    "'" + host + ":" + port + "' is no address: host and a port from 1 to 65535");
        }
    }

    /**
     * Reads {@code host:port}, with an IPv6 address in brackets.
     *
     * @throws IllegalArgumentException with a sentence for the user
     */
    public static Address parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw malformed(text);
        }
        int port = Integer.parseInt(matcher.group(3));
        if (port < 1 || port > MAX_PORT) {
            throw malformed(text);
        }
        String bracketed = matcher.group(1);
        return new Address(bracketed != null ? bracketed : matcher.group(2), port);
    }

    private static IllegalArgumentException malformed(String text) {
        return new IllegalArgumentException(
                "'" + text
                        + "' is no address; write host:port with a port from 1 to 65535, for example 127.0.0.1:9002 or [::1]:9002");
    }

    @Override
    public String toString() {
        return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
    }
}
