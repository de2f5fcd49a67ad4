package io.shardwright.server.config;

import java.io.IOException;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Reads the certificates and the key for etcd: each from a file, or in Base64 from the configuration itself. */
final class EtcdTlsReader {
    private final Values values;
    private final Rules rules;

    EtcdTlsReader(Values values, Rules rules) {
        this.values = values;
        this.rules = rules;
    }

    /** What a text has to be. */
    @FunctionalInterface
    private interface Parser<T> {
        T parse(String text) throws Pem.PemException;
    }

    /** Returns what was given and is right; what is not is reported. */
    Optional<PersistenceConfig.EtcdTls> read() {
        Setting<?> ca = eitherOf(ConfigKeys.ETCD_CA, ConfigKeys.ETCD_CA_INLINE);
        Setting<?> cert = eitherOf(ConfigKeys.ETCD_CLIENT_CERT, ConfigKeys.ETCD_CLIENT_CERT_INLINE);
        Setting<?> key = eitherOf(ConfigKeys.ETCD_CLIENT_KEY, ConfigKeys.ETCD_CLIENT_KEY_INLINE);
        rules.together(cert, key);
        rules.needs(cert, ca);
        rules.needs(ConfigKeys.ETCD_SERVER_NAME, ca);
        Instant now = Instant.now();
        Optional<PemItem> authorities = item(ConfigKeys.ETCD_CA, ConfigKeys.ETCD_CA_INLINE)
                .filter(item ->
                        parse(ca, item, text -> Pem.authorities(text, now)).isPresent());
        return authorities.map(item ->
                new PersistenceConfig.EtcdTls(item, client(cert, key, now), values.find(ConfigKeys.ETCD_SERVER_NAME)));
    }

    boolean isGiven() {
        return values.isGiven(eitherOf(ConfigKeys.ETCD_CA, ConfigKeys.ETCD_CA_INLINE));
    }

    private Optional<PersistenceConfig.ClientCertificate> client(Setting<?> cert, Setting<?> key, Instant now) {
        Optional<PemItem> certItem = item(ConfigKeys.ETCD_CLIENT_CERT, ConfigKeys.ETCD_CLIENT_CERT_INLINE);
        Optional<PemItem> keyItem = item(ConfigKeys.ETCD_CLIENT_KEY, ConfigKeys.ETCD_CLIENT_KEY_INLINE);
        Optional<List<X509Certificate>> chain =
                certItem.flatMap(item -> parse(cert, item, text -> Pem.chain(text, now)));
        Optional<PrivateKey> secret = keyItem.flatMap(item -> parse(key, item, text -> {
            PrivateKey read = Pem.key(text);
            if (chain.isPresent()) {
                Pem.requireBelonging(read, chain.get().get(0), cert.key());
            }
            return read;
        }));
        return chain.isPresent() && secret.isPresent()
                ? Optional.of(new PersistenceConfig.ClientCertificate(certItem.orElseThrow(), keyItem.orElseThrow()))
                : Optional.empty();
    }

    private Setting<?> eitherOf(Setting<Path> file, Setting<String> inline) {
        return values.isGiven(inline) ? inline : file;
    }

    private Optional<PemItem> item(Setting<Path> file, Setting<String> inline) {
        rules.notBoth(file, inline);
        if (values.isGiven(inline)) {
            return values.find(inline).map(text -> new PemItem(inline.key(), Optional.empty(), new Secret(text)));
        }
        return values.find(file).flatMap(path -> {
            try {
                return Optional.of(PemItem.read(file.key(), path));
            } catch (IOException e) {
                rules.refuse(file, "must be a file that this user may read.", "Check the path and its permissions.");
                return Optional.empty();
            }
        });
    }

    private <T> Optional<T> parse(Setting<?> setting, PemItem item, Parser<T> parser) {
        try {
            return Optional.of(parser.parse(item.pem().reveal()));
        } catch (Pem.PemException e) {
            rules.refuse(setting, e.rule(), e.remedy());
            return Optional.empty();
        }
    }
}
