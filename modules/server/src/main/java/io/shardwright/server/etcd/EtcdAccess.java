package io.shardwright.server.etcd;

import io.shardwright.domain.Outcome;
import io.shardwright.domain.Outcome.Fault;
import io.shardwright.domain.Scheduler;
import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.KeyRange;
import io.shardwright.persistence.RangeRequest;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.Txn;
import io.shardwright.persistence.TxnResponse;
import io.shardwright.server.config.PersistenceConfig;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Finds out whether the user of etcd may do what a server does, before one campaigns in vain (R55, R71). */
final class EtcdAccess {

    private EtcdAccess() {}

    /**
     * Refuses a user who may not read and write the key prefix. An etcd that does not answer is waited for elsewhere.
     */
    static void check(Store store, Scheduler loop, PersistenceConfig.Etcd config)
            throws EtcdRefusedException, InterruptedException {
        CompletableFuture<Outcome<TxnResponse>> answer = new CompletableFuture<>();
        loop.execute(() -> store.txn(question(config.keyPrefix()), answer::complete));
        try {
            if (answer.get() instanceof Outcome.Failure<TxnResponse>(Fault fault)
                    && (fault.kind() == Fault.Kind.DENIED || fault.kind() == Fault.Kind.INVALID)) {
                throw new EtcdRefusedException("persistence.etcd: " + who(config) + " may not read and write "
                        + config.keyPrefix() + " (" + fault.message() + "). " + remedy(config));
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String who(PersistenceConfig.Etcd config) {
        return config.login()
                .map(login -> "persistence.etcd.username = " + login.user())
                .orElse("this server, for which no persistence.etcd.username is set,");
    }

    private static String remedy(PersistenceConfig.Etcd config) {
        return "Check the user and its password, and grant its role: etcdctl role grant-permission ROLE readwrite --prefix "
                + config.keyPrefix();
    }

    /**
     * A transaction that cannot do anything, since its two conditions exclude each other; etcd decides on the rights to
     * both of its branches all the same. It asks for what a server does: read all of the prefix, and write the keys of
     * the leader and of the state.
     */
    private static Txn question(String prefix) {
        Bytes leader = Bytes.utf8(prefix + "leader/");
        Bytes state = Bytes.utf8(prefix + "state/");
        return new Txn(
                List.of(
                        Txn.Compare.on(leader, Txn.Target.CREATE_REVISION, Txn.Relation.EQUAL, 0),
                        Txn.Compare.on(leader, Txn.Target.CREATE_REVISION, Txn.Relation.NOT_EQUAL, 0)),
                List.of(new Txn.Op.Put(leader, Bytes.EMPTY, 0), new Txn.Op.Put(state, Bytes.EMPTY, 0)),
                List.of(new Txn.Op.Range(new RangeRequest(KeyRange.prefix(Bytes.utf8(prefix)), 0, 1, true))));
    }
}
