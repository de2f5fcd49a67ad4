package io.shardwright.server.config;

import io.shardwright.client.lease.LeaseSettings;
import io.shardwright.domain.Namespace;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Reads where the state is kept. */
final class PersistenceReader {
    private static final String GROUP = "persistence.";

    /** Two of them fit into the time that executors wait for an answer (R174, R178). */
    private static final Duration LONGEST_WRITE = LeaseSettings.DEFAULT_CALL_DEADLINE.dividedBy(2);

    private final Values values;
    private final Rules rules;
    private final FileChecks files;

    PersistenceReader(Values values, Rules rules, FileChecks files) {
        this.values = values;
        this.rules = rules;
        this.files = files;
    }

    PersistenceConfig read() {
        refuseForgottenType();
        String prefix = values.get(ConfigKeys.KEY_PREFIX_KEY);
        return switch (values.get(ConfigKeys.STORE)) {
            case MEMORY -> new PersistenceConfig.Memory(prefix);
            case SQLITE -> new PersistenceConfig.Sqlite(prefix, files.creatable(ConfigKeys.SQLITE_FILE));
            case POSTGRES -> postgres(prefix);
            case ETCD -> etcd(prefix);
        };
    }

    /**
     * Settings for etcd without {@code persistence.type} would start an empty SQLite server, and nobody would notice.
     */
    private void refuseForgottenType() {
        if (values.isGiven(ConfigKeys.STORE)) {
            return;
        }
        for (String type : List.of("postgres", "etcd")) {
            ConfigKeys.ALL.stream()
                    .filter(s -> s.key().startsWith(GROUP + type + ".") && values.isGiven(s))
                    .findFirst()
                    .ifPresent(s -> rules.refuse(
                            ConfigKeys.STORE,
                            "is not set, but " + s.key() + " is: the state would not go there.",
                            "Set " + ConfigKeys.STORE.key() + " to " + type + ", or remove " + s.key() + "."));
        }
    }

    private PersistenceConfig postgres(String prefix) {
        rules.required(ConfigKeys.POSTGRES_URL_KEY, "persistence.type postgres");
        return new PersistenceConfig.Postgres(
                prefix,
                values.find(ConfigKeys.POSTGRES_URL_KEY).orElse(""),
                login(ConfigKeys.POSTGRES_USER, ConfigKeys.POSTGRES_PASSWORD, ConfigKeys.POSTGRES_PASSWORD_FILE));
    }

    private PersistenceConfig etcd(String prefix) {
        rules.required(ConfigKeys.ETCD_ENDPOINTS, "persistence.type etcd");
        List<URI> endpoints = values.find(ConfigKeys.ETCD_ENDPOINTS).orElse(List.of());
        EtcdTlsReader reader = new EtcdTlsReader(values, rules);
        Optional<PersistenceConfig.EtcdTls> tls = reader.read();
        checkSchemes(endpoints, reader.isGiven());
        Optional<PersistenceConfig.Login> login =
                login(ConfigKeys.ETCD_USERNAME, ConfigKeys.ETCD_PASSWORD, ConfigKeys.ETCD_PASSWORD_FILE);
        if (values.isGiven(ConfigKeys.ETCD_USERNAME)
                && endpoints.stream().anyMatch(e -> "http".equals(e.getScheme()))) {
            rules.refuse(
                    ConfigKeys.ETCD_ENDPOINTS,
                    "must be https:// when " + ConfigKeys.ETCD_USERNAME.key()
                            + " is set: the password and every token would cross the network in clear.",
                    "Use https:// with " + ConfigKeys.ETCD_CA.key() + ", or remove the user.");
        }
        return new PersistenceConfig.Etcd(prefix, endpoints, etcdTimes(), login, tls);
    }

    /** R41: what the scheme says and what the TLS keys say is the same thing. */
    private void checkSchemes(List<URI> endpoints, boolean tls) {
        String wanted = tls ? "https" : "http";
        if (!endpoints.stream().allMatch(e -> wanted.equals(e.getScheme()))) {
            rules.refuse(
                    ConfigKeys.ETCD_ENDPOINTS,
                    tls
                            ? "must all be https://: " + ConfigKeys.ETCD_CA.key() + " is set."
                            : "must all be http://: " + ConfigKeys.ETCD_CA.key() + " is not set.",
                    tls
                            ? "Change the endpoints, or remove persistence.etcd.tls."
                            : "Change the endpoints, or set " + ConfigKeys.ETCD_CA.key() + ".");
        }
    }

    private PersistenceConfig.EtcdTimes etcdTimes() {
        Duration lease = values.get(ConfigKeys.ETCD_LEADER_LEASE);
        if (lease.toMillis() % 1000 != 0) {
            rules.refuse(
                    ConfigKeys.ETCD_LEADER_LEASE,
                    "must be a whole number of seconds: etcd cuts the rest off.",
                    "Round it, for example to " + (lease.toSeconds() + 1) + "s.");
        }
        rules.atMost(
                ConfigKeys.ETCD_REQUEST_TIMEOUT,
                lease.dividedBy(2),
                "must be at most half of " + ConfigKeys.ETCD_LEADER_LEASE.key() + " (" + Durations.format(lease)
                        + "): the leadership could end before its first renewal.",
                "Lower it to " + Durations.format(lease.dividedBy(2)) + " or less, or raise "
                        + ConfigKeys.ETCD_LEADER_LEASE.key() + ".");
        rules.atMost(
                ConfigKeys.ETCD_REQUEST_TIMEOUT,
                LONGEST_WRITE,
                "must be at most half of the " + Durations.format(LeaseSettings.DEFAULT_CALL_DEADLINE)
                        + " that executors wait for an answer: two writes of the state have to fit, the one under way and their own.",
                "Lower it to " + Durations.format(LONGEST_WRITE) + " or less.");
        Duration request = values.get(ConfigKeys.ETCD_REQUEST_TIMEOUT);
        Duration longest = values.get(ConfigKeys.ETCD_RETRY_MAX);
        rules.atMost(
                ConfigKeys.ETCD_RETRY_MAX,
                Namespace.DEFAULT_LEASE.minus(request),
                "and " + ConfigKeys.ETCD_REQUEST_TIMEOUT.key() + " (" + Durations.format(request)
                        + ") must be at most " + Durations.format(Namespace.DEFAULT_LEASE)
                        + " together: executors lose their shards if the state is not read within their lease once etcd answers again.",
                "Lower one of them.");
        rules.atMost(
                ConfigKeys.ETCD_RETRY_MIN,
                longest,
                "must not be above " + ConfigKeys.ETCD_RETRY_MAX.key() + " (" + Durations.format(longest) + ").",
                "Lower it, or raise " + ConfigKeys.ETCD_RETRY_MAX.key() + ".");
        return new PersistenceConfig.EtcdTimes(
                values.get(ConfigKeys.ETCD_CONNECT_TIMEOUT),
                values.get(ConfigKeys.ETCD_REQUEST_TIMEOUT),
                lease,
                values.get(ConfigKeys.ETCD_RETRY_MIN),
                longest);
    }

    private Optional<PersistenceConfig.Login> login(
            Setting<String> user, Setting<String> password, Setting<Path> passwordFile) {
        rules.notBoth(password, passwordFile);
        if (values.isGiven(user) && !values.isGiven(password) && !values.isGiven(passwordFile)) {
            rules.refuse(
                    password,
                    "is missing: " + user.key() + " is set, and needs it or " + passwordFile.key() + ".",
                    "Set one of the two, or remove " + user.key() + ".");
        }
        rules.needs(password, user);
        rules.needs(passwordFile, user);
        Optional<Secret> secret = values.find(password)
                .map(Secret::new)
                .or(() -> values.find(passwordFile).flatMap(file -> files.password(passwordFile, file)));
        return values.find(user)
                .flatMap(u -> secret.map(s -> new PersistenceConfig.Login(u, s, values.find(passwordFile))));
    }
}
