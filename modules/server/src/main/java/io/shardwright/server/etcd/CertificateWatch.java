package io.shardwright.server.etcd;

import io.shardwright.persistence.etcd.EtcdHandshake;
import io.shardwright.persistence.etcd.EtcdTls;
import io.shardwright.server.config.Pem.PemException;
import io.shardwright.server.config.PersistenceConfig;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Optional;

/**
 * Takes renewed certificates while the server runs, and says when etcd stops accepting those it has (R58 to R61).
 *
 * <p>New files are taken when etcd accepts them, and not before: files that are half written, or that etcd does not
 * know yet, must not replace what works. Every round makes one handshake, so that a refusal shows while the connections
 * that are open still serve. One thread; its fields belong to it.
 */
final class CertificateWatch {

    private static final Logger LOG = System.getLogger("shardwright");

    private final PersistenceConfig.Etcd config;
    private final Duration pause;
    private final EtcdTls used;
    private TlsItems current;
    private Optional<TlsItems> rejected = Optional.empty();
    private boolean refused;

    CertificateWatch(PersistenceConfig.Etcd config, TlsItems items, EtcdTls used) {
        this.config = config;
        this.pause = config.times().retryMaxDelay();
        this.current = items;
        this.used = used;
    }

    /** Starts; returns what ends it. */
    Runnable start() {
        Thread rounds = Thread.ofVirtual().name("certificates of etcd").start(() -> {
            try {
                while (true) {
                    Thread.sleep(pause);
                    round();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // the server stops
            }
        });
        return rounds::interrupt;
    }

    private void round() {
        takeNewFiles();
        switch (handshake(used)) {
            case EtcdHandshake.Accepted ok -> {
                if (refused) {
                    LOG.log(Level.INFO, "etcd accepts the certificates again");
                }
                refused = false;
            }
            case EtcdHandshake.Refused(String why) -> {
                LOG.log(Level.WARNING, "etcd refuses the TLS handshake: {0}; {1}", why, advice());
                refused = true;
            }
            case EtcdHandshake.NotValidNow(String why) ->
                LOG.log(Level.WARNING, "{0}; connections wait until etcd has a valid one", why);
            case EtcdHandshake.NoAnswer none -> {} // whoever uses the store hears of it
        }
    }

    private String advice() {
        return rejected.isPresent()
                ? "the new files were refused too"
                : "renew the files that persistence.etcd.tls names: they are read every " + pause.toSeconds() + " s";
    }

    private void takeNewFiles() {
        try {
            TlsItems now = current.readAgain();
            if (now.equals(current)) {
                rejected = Optional.empty();
                return;
            }
            EtcdTls.Material material = now.material();
            EtcdTls tried = EtcdTls.of(material, now.texts().serverName());
            EtcdHandshake outcome = handshake(tried);
            if (outcome instanceof EtcdHandshake.Accepted) {
                used.replace(material);
                current = now;
                rejected = Optional.empty();
                LOG.log(Level.INFO, "renewed certificates are used from now on; open connections go on");
                TlsItems.describe(material).forEach(line -> LOG.log(Level.INFO, line));
            } else if (!(outcome instanceof EtcdHandshake.NoAnswer)) {
                reject(now, outcome.toString());
            }
        } catch (IOException | PemException | GeneralSecurityException e) {
            LOG.log(Level.WARNING, "the files of persistence.etcd.tls cannot be used now: {0}", e.getMessage());
        }
    }

    private void reject(TlsItems items, String why) {
        if (!rejected.equals(Optional.of(items))) {
            LOG.log(Level.WARNING, "new certificates are not taken, the old ones stay in use: {0}", why);
        }
        rejected = Optional.of(items);
    }

    /** Returns what the first member says that says anything. */
    private EtcdHandshake handshake(EtcdTls tls) {
        EtcdHandshake last = new EtcdHandshake.NoAnswer("nobody was asked");
        for (URI endpoint : config.endpoints()) {
            last = EtcdHandshake.with(endpoint, tls, config.times().connectTimeout());
            if (!(last instanceof EtcdHandshake.NoAnswer)) {
                return last;
            }
        }
        return last;
    }
}
