package io.shardwright.persistence.etcd;

import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * How to reach an etcd cluster.
 *
 * @param endpoints {@code http://host:port} of each member; at least one
 * @param connectTimeout until a connection attempt counts as failed
 * @param requestTimeout until a call without an answer ends; for a write the outcome is then unknown
 * @param access who the server is to etcd
 */
public record EtcdSettings(List<URI> endpoints, Duration connectTimeout, Duration requestTimeout, Access access) {

    /**
     * Two seconds outlast an election of etcd with its default settings; a connection on one network is there much
     * sooner.
     */
    private static final Duration DEFAULT_REQUEST_TIMEOUT = Duration.ofSeconds(2);

    private static final Duration DEFAULT_CONNECT_TIMEOUT = Duration.ofSeconds(1);

    public EtcdSettings {
        endpoints = List.copyOf(endpoints);
        if (endpoints.isEmpty()) {
            throw new IllegalArgumentException("endpoints is empty; give http://host:port of at least one etcd member");
        }
        for (URI endpoint : endpoints) {
            if (!"http".equals(endpoint.getScheme()) || endpoint.getHost() == null || endpoint.getPort() < 0) {
                throw new IllegalArgumentException("endpoints holds " + endpoint.getScheme() + "://"
                        + endpoint.getHost() + "; each must be http://host:port");
            }
        }
        if (connectTimeout.isNegative()
                || connectTimeout.isZero()
                || requestTimeout.isNegative()
                || requestTimeout.isZero()) {
            throw new IllegalArgumentException("connectTimeout=" + connectTimeout + " and requestTimeout="
                    + requestTimeout + " must be greater than zero");
        }
    }

    /** Returns the settings of an etcd without users. */
    public static EtcdSettings of(List<URI> endpoints) {
        return new EtcdSettings(endpoints, DEFAULT_CONNECT_TIMEOUT, DEFAULT_REQUEST_TIMEOUT, new Access.Anonymous());
    }

    /** Returns these settings with another time-out of requests. */
    public EtcdSettings withRequestTimeout(Duration timeout) {
        return new EtcdSettings(endpoints, connectTimeout, timeout, access);
    }

    /** Returns these settings with a user. */
    public EtcdSettings withUser(String user, String password) {
        return new EtcdSettings(endpoints, connectTimeout, requestTimeout, new Access.UserPassword(user, password));
    }

    /** Who the server is to etcd. */
    public sealed interface Access {

        /** etcd asks nobody. */
        record Anonymous() implements Access {}

        /** A user of etcd's own list. */
        record UserPassword(String user, String password) implements Access {
            @Override
            public String toString() {
                return "user " + user;
            }
        }
    }
}
