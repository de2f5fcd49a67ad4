package io.shardwright.persistence.differential;

import io.shardwright.persistence.Backend;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.etcd.EtcdSettings;
import io.shardwright.persistence.etcd.EtcdStore;
import io.shardwright.testkit.TestEtcd;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/** One etcd process for all sequences of a test class. */
record RealEtcd(TestEtcd process, Backend backend, Store store) implements AutoCloseable {

    /** A busy machine must not look like a difference. */
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(20);

    static RealEtcd start() {
        TestEtcd process = TestEtcd.start();
        Backend backend = Backend.real();
        return new RealEtcd(process, backend, open(process, backend));
    }

    private static Store open(TestEtcd process, Backend backend) {
        return EtcdStore.open(
                EtcdSettings.of(List.of(URI.create(process.endpoint()))).withRequestTimeout(REQUEST_TIMEOUT),
                backend.loop());
    }

    /** Opens one more store with connections of its own. */
    Store another() {
        return open(process, backend);
    }

    @Override
    public void close() {
        store.close();
        backend.close();
        process.close();
    }
}
