package io.shardwright.sim.cluster;

import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.KeyValue;
import io.shardwright.persistence.WatchBatch.Event;
import io.shardwright.persistence.mvcc.Commit;
import io.shardwright.sim.kernel.Digest;

/** Takes every byte that is stored into the digest of a run. */
final class StoredDigest {

    private static final int PUT = 1;
    private static final int DELETE = 2;

    private StoredDigest() {}

    static void take(Commit commit, Digest digest) {
        for (Event event : commit.events()) {
            switch (event) {
                case Event.Put(KeyValue kv) -> {
                    digest.add(PUT);
                    bytes(kv.key(), digest);
                    bytes(kv.value(), digest);
                    digest.add(kv.leaseId());
                }
                case Event.Delete delete -> {
                    digest.add(DELETE);
                    bytes(delete.key(), digest);
                }
            }
        }
    }

    private static void bytes(Bytes bytes, Digest digest) {
        digest.add(bytes.toByteArray(), bytes.length());
    }
}
