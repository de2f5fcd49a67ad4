package io.shardwright.sim.etcd;

import io.shardwright.persistence.Txn;
import io.shardwright.persistence.mvcc.Commit;

/** Hears of everything that is stored, at the moment it is stored. */
public interface Commits {

    /** A revision was written; by whom is told afterwards, at the same moment. */
    void committed(Commit commit);

    /** Who asked for a revision: {@code machine/start}. Revisions that nobody asked for come from leases that ended. */
    void wroteBy(String writer, Txn txn, long revision);

    /** Something happened that a run should have seen. */
    void counted(String fact);
}
