package io.shardwright.persistence.etcd;

import io.etcd.jetcd.api.CompactionRequest;
import io.etcd.jetcd.api.CompactionResponse;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseGrantResponse;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseKeepAliveRequest;
import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.etcd.jetcd.api.LeaseRevokeRequest;
import io.etcd.jetcd.api.LeaseRevokeResponse;
import io.etcd.jetcd.api.LeaseTimeToLiveRequest;
import io.etcd.jetcd.api.LeaseTimeToLiveResponse;
import io.etcd.jetcd.api.WatchGrpc;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import io.shardwright.domain.Outcome;
import io.shardwright.domain.Outcome.Fault;
import io.shardwright.domain.Scheduler;
import io.shardwright.persistence.RangeRequest;
import io.shardwright.persistence.RangeResponse;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.StoreLeases;
import io.shardwright.persistence.Txn;
import io.shardwright.persistence.Txn.Op;
import io.shardwright.persistence.TxnResponse;
import io.shardwright.persistence.TxnRules;
import io.shardwright.persistence.WatchRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A store in etcd. Calls may be made from the answer loop only; each attempt ends within the request time-out. No call
 * is ever sent twice, except one that etcd refused for its token, and so did not do.
 *
 * <p>Watches and keep-alives ask etcd to refuse them on a member that has lost its leader, so a member that was cut off
 * does not look like a quiet store.
 */
public final class EtcdStore implements Store {

    private static final Metadata.Key<String> REQUIRE_LEADER =
            Metadata.Key.of("hasleader", Metadata.ASCII_STRING_MARSHALLER);

    private final EtcdChannel channel;
    private final Scheduler loop;
    private final EtcdLeases leases = new EtcdLeases();
    private final KVGrpc.KVStub kv;
    private final LeaseGrpc.LeaseStub lease;
    private final WatchGrpc.WatchStub watch;

    /** Guarded by itself: watches end on the threads of the connection. */
    private final List<EtcdWatch> watches = new ArrayList<>();

    private volatile boolean closed;

    private EtcdStore(EtcdSettings settings, Scheduler loop) {
        this.channel = new EtcdChannel(settings);
        this.loop = loop;
        Metadata requireLeader = new Metadata();
        requireLeader.put(REQUIRE_LEADER, "true");
        this.kv = channel.authorised(KVGrpc.newStub(channel.grpc()));
        this.lease = channel.authorised(LeaseGrpc.newStub(channel.grpc()))
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(requireLeader));
        this.watch = channel.authorised(WatchGrpc.newStub(channel.grpc()))
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(requireLeader));
    }

    /**
     * Opens a store. Makes no connection yet: an etcd that is out of reach shows in the answers.
     *
     * @param loop gets the answers
     */
    public static EtcdStore open(EtcdSettings settings, Scheduler loop) {
        return new EtcdStore(settings, loop);
    }

    @Override
    public void range(RangeRequest request, Consumer<Outcome<RangeResponse>> answer) {
        if (refuseWhenClosed(answer)) {
            return;
        }
        this.<io.etcd.jetcd.api.RangeResponse, RangeResponse>read(
                "range",
                observer -> channel.withDeadline(kv).range(EtcdMessages.toEtcd(request), observer),
                response -> Outcome.success(EtcdMessages.fromEtcd(response)),
                answer);
    }

    @Override
    public void txn(Txn txn, Consumer<Outcome<TxnResponse>> answer) {
        if (refuseWhenClosed(answer)) {
            return;
        }
        Optional<Fault> fault = TxnRules.checkOpenDeletes(txn);
        if (fault.isPresent()) {
            loop.execute(() -> answer.accept(new Outcome.Failure<>(fault.get())));
            return;
        }
        Function<io.etcd.jetcd.api.TxnResponse, Outcome<TxnResponse>> success =
                response -> Outcome.success(EtcdMessages.fromEtcd(response));
        Consumer<StreamObserver<io.etcd.jetcd.api.TxnResponse>> send =
                observer -> channel.withDeadline(kv).txn(EtcdMessages.toEtcd(txn), observer);
        if (writes(txn)) {
            write("txn", send, success, answer);
        } else {
            read("txn", send, success, answer);
        }
    }

    private static boolean writes(Txn txn) {
        return Stream.concat(txn.success().stream(), txn.failure().stream()).anyMatch(op -> !(op instanceof Op.Range));
    }

    @Override
    public Watch watch(WatchRequest request, WatchListener listener) {
        if (closed) {
            return refused(request, listener, closedFault());
        }
        // etcd itself would read an empty key as the first of all keys, and end the watch of an empty range without a
        // reason.
        Optional<Fault> fault = request.check();
        if (fault.isPresent()) {
            return refused(request, listener, fault.get());
        }
        EtcdWatch started = EtcdWatch.start(watch, channel, request, listener, loop);
        synchronized (watches) {
            watches.removeIf(EtcdWatch::isOver);
            watches.add(started);
        }
        return started;
    }

    private Watch refused(WatchRequest request, WatchListener listener, Fault fault) {
        EtcdWatch ended = EtcdWatch.unstarted(channel, request, listener, loop);
        ended.end(fault);
        return ended;
    }

    @Override
    public StoreLeases leases() {
        return leases;
    }

    @Override
    public void compact(long revision, Consumer<Outcome<Long>> answer) {
        if (refuseWhenClosed(answer)) {
            return;
        }
        this.<CompactionResponse, Long>write(
                "compact",
                observer -> channel.withDeadline(kv)
                        .compact(
                                CompactionRequest.newBuilder()
                                        .setRevision(revision)
                                        .build(),
                                observer),
                response -> Outcome.success(revision),
                answer);
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        List<EtcdWatch> open;
        synchronized (watches) {
            open = List.copyOf(watches);
            watches.clear();
        }
        open.forEach(ending -> ending.end(closedFault()));
        channel.close();
    }

    private <T> boolean refuseWhenClosed(Consumer<Outcome<T>> answer) {
        if (closed) {
            loop.execute(() -> answer.accept(new Outcome.Failure<>(closedFault())));
        }
        return closed;
    }

    private static Fault closedFault() {
        return new Fault(Fault.Kind.UNAVAILABLE, "the store is closed");
    }

    private <M, T> void read(
            String call,
            Consumer<StreamObserver<M>> send,
            Function<M, Outcome<T>> success,
            Consumer<Outcome<T>> answer) {
        send(send, success, thrown -> EtcdFaults.ofRead(call, thrown), answer, true);
    }

    private <M, T> void write(
            String call,
            Consumer<StreamObserver<M>> send,
            Function<M, Outcome<T>> success,
            Consumer<Outcome<T>> answer) {
        send(send, success, thrown -> EtcdFaults.ofWrite(call, thrown), answer, true);
    }

    /**
     * Sends a call; once more, with a new token, if etcd refused it for its token, because then nothing was done and
     * nothing will be (R74).
     */
    private <M, T> void send(
            Consumer<StreamObserver<M>> send,
            Function<M, Outcome<T>> success,
            Function<Throwable, Outcome<T>> failure,
            Consumer<Outcome<T>> answer,
            boolean mayRepeat) {
        EtcdChannel.Login login = channel.login();
        send.accept(new EtcdAnswer<>(
                success,
                failure,
                thrown -> {
                    boolean repeat = channel.loginIsOver(login, thrown) && mayRepeat;
                    if (repeat) {
                        send(send, success, failure, answer, false);
                    }
                    return repeat;
                },
                loop,
                answer));
    }

    private final class EtcdLeases implements StoreLeases {

        @Override
        public void grant(long ttlSeconds, Consumer<Outcome<Lease>> answer) {
            if (refuseWhenClosed(answer)) {
                return;
            }
            // etcd itself would silently grant its shortest lease for less than a second.
            Optional<Fault> fault = StoreLeases.check(ttlSeconds);
            if (fault.isPresent()) {
                loop.execute(() -> answer.accept(new Outcome.Failure<>(fault.get())));
                return;
            }
            EtcdStore.this.<LeaseGrantResponse, Lease>write(
                    "lease grant",
                    observer -> channel.withDeadline(lease)
                            .leaseGrant(
                                    LeaseGrantRequest.newBuilder()
                                            .setTTL(ttlSeconds)
                                            .build(),
                                    observer),
                    response -> Outcome.success(new Lease(response.getID(), response.getTTL(), response.getTTL())),
                    answer);
        }

        /** Each call has a stream of its own, so that a lost answer is this call's loss alone. */
        @Override
        public void keepAlive(long leaseId, Consumer<Outcome<Lease>> answer) {
            if (refuseWhenClosed(answer)) {
                return;
            }
            EtcdStore.this.<LeaseKeepAliveResponse, Lease>write(
                    "lease keep-alive",
                    observer -> {
                        StreamObserver<LeaseKeepAliveRequest> requests =
                                channel.withDeadline(lease).leaseKeepAlive(observer);
                        requests.onNext(LeaseKeepAliveRequest.newBuilder()
                                .setID(leaseId)
                                .build());
                        requests.onCompleted();
                    },
                    response -> response.getTTL() > 0
                            ? Outcome.success(new Lease(leaseId, response.getTTL(), response.getTTL()))
                            : notFound(leaseId),
                    answer);
        }

        @Override
        public void revoke(long leaseId, Consumer<Outcome<Long>> answer) {
            if (refuseWhenClosed(answer)) {
                return;
            }
            EtcdStore.this.<LeaseRevokeResponse, Long>write(
                    "lease revoke",
                    observer -> channel.withDeadline(lease)
                            .leaseRevoke(
                                    LeaseRevokeRequest.newBuilder()
                                            .setID(leaseId)
                                            .build(),
                                    observer),
                    response -> Outcome.success(response.getHeader().getRevision()),
                    answer);
        }

        @Override
        public void timeToLive(long leaseId, Consumer<Outcome<Lease>> answer) {
            if (refuseWhenClosed(answer)) {
                return;
            }
            EtcdStore.this.<LeaseTimeToLiveResponse, Lease>read(
                    "lease time-to-live",
                    observer -> channel.withDeadline(lease)
                            .leaseTimeToLive(
                                    LeaseTimeToLiveRequest.newBuilder()
                                            .setID(leaseId)
                                            .build(),
                                    observer),
                    response -> response.getTTL() < 0
                            ? notFound(leaseId)
                            : Outcome.success(new Lease(
                                    leaseId,
                                    response.getTTL(),
                                    response.getGrantedTTL(),
                                    response.getHeader().getRaftTerm())),
                    answer);
        }

        private static <T> Outcome<T> notFound(long leaseId) {
            return Outcome.failure(
                    Fault.Kind.NOT_FOUND,
                    "lease " + Long.toHexString(leaseId) + " does not exist or has ended; grant a new one");
        }
    }
}
