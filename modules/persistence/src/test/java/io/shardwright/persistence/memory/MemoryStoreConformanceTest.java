package io.shardwright.persistence.memory;

import io.shardwright.persistence.Backend;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.StoreConformanceTest;

final class MemoryStoreConformanceTest extends StoreConformanceTest {

    @Override
    protected Backend backend() {
        return Backend.virtual();
    }

    @Override
    protected Store open(Backend on) {
        return MemoryStore.open(on.clock(), on.loop());
    }

    @Override
    protected Store openAnother(Backend on) {
        return MemoryStore.open(on.clock(), on.loop());
    }
}
