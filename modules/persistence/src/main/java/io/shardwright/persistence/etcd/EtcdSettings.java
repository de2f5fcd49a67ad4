package io.shardwright.persistence.etcd;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * How to reach an etcd cluster.
 *
 * @param endpoints {@code http://host:port} of each member, or {@code https://host:port} with TLS; at least one
 * @param connectTimeout until a connection attempt counts as failed
 * @param requestTimeout until a call without an answer ends; for a write the outcome is then unknown
 * @param access who the server is to etcd
 * @param tls TLS towards etcd; empty: everything crosses the network in clear
 */
public record EtcdSettings(
        List<URI> endpoints, Duration connectTimeout, Duration requestTimeout, Access access, Optional<EtcdTls> tls) {

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
        String scheme = tls.isPresent() ? "https" : "http";
        for (URI endpoint : endpoints) {
            if (!scheme.equals(endpoint.getScheme()) || endpoint.getHost() == null || endpoint.getPort() < 0) {
                throw new IllegalArgumentException("endpoints holds " + endpoint.getScheme() + "://"
                        + endpoint.getHost() + "; each must be " + scheme + "://host:port");
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

    /** Returns the settings of an etcd without users and without TLS. */
    public static EtcdSettings of(List<URI> endpoints) {
        return of(endpoints, Optional.empty());
    }

    /** Returns the settings of an etcd without users. */
    public static EtcdSettings of(List<URI> endpoints, Optional<EtcdTls> tls) {
        return new EtcdSettings(
                endpoints, DEFAULT_CONNECT_TIMEOUT, DEFAULT_REQUEST_TIMEOUT, new Access.Anonymous(), tls);
    }

    /** Returns these settings with another time-out of requests. */
    public EtcdSettings withRequestTimeout(Duration timeout) {
        return new EtcdSettings(endpoints, connectTimeout, timeout, access, tls);
    }

    /** Returns these settings with a user. */
    public EtcdSettings withUser(String user, String password) {
        return new EtcdSettings(
                endpoints, connectTimeout, requestTimeout, new Access.UserPassword(user, () -> password), tls);
    }

    /** Who the server is to etcd. */
    public sealed interface Access {

        /** etcd asks nobody. */
        record Anonymous() implements Access {}

        /**
         * A user of etcd's own list.
         *
         * @param password asked at each login, on any thread, so that it may change
         */
        record UserPassword(String user, Supplier<String> password) implements Access {
            @Override
            public String toString() {
                return "user " + user;
            }
        }
    }
}
