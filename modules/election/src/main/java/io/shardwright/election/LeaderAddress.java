package io.shardwright.election;

/**
 * Where the leader serves executors: the address that it advertises (R20).
 *
 * @param host a name or an IP address, without brackets
 * @param port 1 to 65535
 */
public record LeaderAddress(String host, int port) {

    /** Checks the bounds. */
    public LeaderAddress {
        if (host.isBlank()) {
            throw new IllegalArgumentException("host is blank; it must be a name or an address");
        }
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("port=" + port + " must be 1 to 65535");
        }
    }

    /** Returns the address as people and clients write it. */
    @Override
    public String toString() {
        return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
    }
}
