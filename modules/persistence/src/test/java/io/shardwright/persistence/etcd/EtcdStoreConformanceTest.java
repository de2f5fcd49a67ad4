package io.shardwright.persistence.etcd;

import io.shardwright.persistence.Backend;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.StoreConformanceTest;
import io.shardwright.testkit.TestEtcd;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.AfterAll;

final class EtcdStoreConformanceTest extends StoreConformanceTest {

    private final TestEtcd etcd = TestEtcd.start();

    @AfterAll
    void stopEtcd() {
        etcd.close();
    }

    @Override
    protected Backend backend() {
        return Backend.real();
    }

    @Override
    protected Store open(Backend on) {
        return EtcdStore.open(EtcdSettings.of(List.of(URI.create(etcd.endpoint()))), on.loop());
    }

    @Override
    protected Store openAnother(Backend on) {
        return open(on);
    }
}
