package io.shardwright.server.etcd;

import io.shardwright.domain.Scheduler;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.etcd.EtcdHandshake;
import io.shardwright.persistence.etcd.EtcdSettings;
import io.shardwright.persistence.etcd.EtcdStore;
import io.shardwright.persistence.etcd.EtcdTls;
import io.shardwright.server.config.Pem.PemException;
import io.shardwright.server.config.PersistenceConfig;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Opens the store in etcd, after it has made sure that etcd and the settings go together. */
public final class EtcdConnection {

    private static final Logger LOG = System.getLogger("shardwright");

    private EtcdConnection() {}

    /**
     * Opens the store. An etcd that does not answer, or whose own certificate is not valid now, is no reason to refuse
     * (R56): it is waited for.
     *
     * @param loop gets the answers of the store
     * @param closers get what must be closed before the store
     * @throws EtcdRefusedException when one of the two does not accept the other, and waiting would not help
     */
    public static Store open(PersistenceConfig.Etcd config, Scheduler loop, Consumer<Runnable> closers)
            throws EtcdRefusedException, InterruptedException {
        Optional<EtcdTls> tls = Optional.empty();
        if (config.tls().isPresent()) {
            TlsItems items = new TlsItems(config.tls().get());
            EtcdTls made = tls(items, config);
            checkHandshakes(config, made);
            closers.accept(new CertificateWatch(config, items, made).start());
            tls = Optional.of(made);
        }
        EtcdStore store = EtcdStore.open(settings(config, tls), loop);
        boolean accepted = false;
        try {
            EtcdAccess.check(store, loop, config);
            accepted = true;
        } finally {
            if (!accepted) {
                store.close();
            }
        }
        return store;
    }

    private static EtcdSettings settings(PersistenceConfig.Etcd config, Optional<EtcdTls> tls) {
        EtcdSettings.Access access = config.login()
                .<EtcdSettings.Access>map(
                        login -> new EtcdSettings.Access.UserPassword(login.user(), new Password(login)))
                .orElseGet(EtcdSettings.Access.Anonymous::new);
        return new EtcdSettings(
                config.endpoints(),
                config.times().connectTimeout(),
                config.times().requestTimeout(),
                access,
                tls);
    }

    private static EtcdTls tls(TlsItems items, PersistenceConfig.Etcd config) throws EtcdRefusedException {
        try {
            EtcdTls.Material material = items.material();
            TlsItems.describe(material).forEach(line -> LOG.log(Level.INFO, line));
            return EtcdTls.of(material, config.tls().flatMap(PersistenceConfig.EtcdTls::serverName));
        } catch (PemException | GeneralSecurityException e) {
            // The configuration was checked moments ago; a certificate may have expired since.
            throw new EtcdRefusedException("persistence.etcd.tls: " + e.getMessage(), e);
        }
    }

    /** Asks all members at once, so that those who do not answer cost one time-out together. */
    private static void checkHandshakes(PersistenceConfig.Etcd config, EtcdTls tls) throws EtcdRefusedException {
        List<CompletableFuture<EtcdHandshake>> asked = config.endpoints().stream()
                .map(endpoint -> CompletableFuture.supplyAsync(
                        () -> EtcdHandshake.with(endpoint, tls, config.times().connectTimeout()),
                        Thread::startVirtualThread))
                .toList();
        List<String> refusals = new ArrayList<>();
        boolean accepted = false;
        for (int i = 0; i < asked.size(); i++) {
            URI endpoint = config.endpoints().get(i);
            switch (asked.get(i).join()) {
                case EtcdHandshake.Accepted ok -> accepted = true;
                case EtcdHandshake.NoAnswer(String why) ->
                    LOG.log(Level.WARNING, "{0} does not answer yet: {1}", endpoint, why);
                case EtcdHandshake.NotValidNow(String why) -> LOG.log(Level.WARNING, "{0}: {1}", endpoint, why);
                case EtcdHandshake.Refused(String why) -> {
                    LOG.log(Level.WARNING, "{0}: the TLS handshake was refused: {1}", endpoint, why);
                    refusals.add(endpoint + ": " + why);
                }
            }
        }
        if (!accepted && !refusals.isEmpty()) {
            throw new EtcdRefusedException(
                    "persistence.etcd.tls: etcd and this server do not accept each other's certificates ("
                            + String.join("; ", refusals)
                            + "). Check that persistence.etcd.tls.ca-cert-file signed the certificate of etcd, that this names the host in persistence.etcd.endpoints or persistence.etcd.tls.server-name, and that etcd trusts persistence.etcd.tls.client-cert-file.");
        }
    }
}
