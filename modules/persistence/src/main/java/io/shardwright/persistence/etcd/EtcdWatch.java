package io.shardwright.persistence.etcd;

import io.etcd.jetcd.api.WatchCancelRequest;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchGrpc;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.shardwright.domain.Outcome.Fault;
import io.shardwright.domain.Scheduler;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.WatchBatch;
import io.shardwright.persistence.WatchBatch.Event;
import io.shardwright.persistence.WatchRequest;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One watch on one stream. Whatever ends the stream ends the watch; it is the caller who resumes, because only the
 * caller knows what it has processed.
 *
 * <p>etcd splits a backlog only between revisions unless it is asked for fragments, which it is not; so each response
 * carries whole revisions. The next response is asked for when the listener has seen the last one, which bounds what
 * piles up for a slow listener.
 *
 * <p>A compaction makes many releases of etcd 3.4 and 3.5 forget the deletions of the very revision that it keeps, and
 * a watch from that revision then misses them without a sign. So a watch that starts in the past is asked for once
 * more, from one revision earlier, which etcd refuses if it is compacted; what it sends of that revision is dropped. A
 * watch from the future is left as it is: only those hear of changes at once, and there is nothing compacted ahead of
 * them.
 */
final class EtcdWatch implements Store.Watch, ClientResponseObserver<io.etcd.jetcd.api.WatchRequest, WatchResponse> {

    private static final long NONE = -1;

    private final EtcdChannel channel;
    private final EtcdChannel.Login login;
    private final WatchRequest request;
    private final Store.WatchListener listener;
    private final Scheduler loop;
    private final AtomicBoolean ended = new AtomicBoolean();

    /** First revision that was not delivered; touched by the stream only, as is the one below it. */
    private long next;

    /** Etcd's number of the watch that was asked for first, if another took its place. */
    private long replaced = NONE;

    /** Set before the stream starts; used on any thread. */
    private volatile @Nullable ClientCallStreamObserver<io.etcd.jetcd.api.WatchRequest> stream;

    /** Set by the caller on the loop and read on the loop; volatile because close may come from elsewhere. */
    private volatile boolean cancelled;

    private EtcdWatch(EtcdChannel channel, WatchRequest request, Store.WatchListener listener, Scheduler loop) {
        this.channel = channel;
        this.login = channel.login();
        this.request = request;
        this.listener = listener;
        this.loop = loop;
        this.next = Math.max(0, request.fromRevision());
    }

    static EtcdWatch start(
            WatchGrpc.WatchStub stub,
            EtcdChannel channel,
            WatchRequest request,
            Store.WatchListener listener,
            Scheduler loop) {
        EtcdWatch watch = new EtcdWatch(channel, request, listener, loop);
        stub.watch(watch).onNext(watch.creation(watch.next));
        return watch;
    }

    /** Returns a watch that asks for nothing, to be ended at once. */
    static EtcdWatch unstarted(
            EtcdChannel channel, WatchRequest request, Store.WatchListener listener, Scheduler loop) {
        return new EtcdWatch(channel, request, listener, loop);
    }

    private io.etcd.jetcd.api.WatchRequest creation(long from) {
        return io.etcd.jetcd.api.WatchRequest.newBuilder()
                .setCreateRequest(WatchCreateRequest.newBuilder()
                        .setKey(EtcdMessages.toEtcd(request.range().start()))
                        .setRangeEnd(EtcdMessages.toEtcd(request.range().end()))
                        .setStartRevision(from))
                .build();
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<io.etcd.jetcd.api.WatchRequest> requests) {
        stream = requests;
        requests.disableAutoRequestWithInitial(1);
    }

    @Override
    public void onNext(WatchResponse response) {
        if (replaced != NONE && response.getWatchId() == replaced && response.getCompactRevision() == 0) {
            requestMore();
            return;
        }
        if (response.getCanceled()) {
            end(canceled(response));
            return;
        }
        if (response.getCreated()) {
            created(response);
            requestMore();
            return;
        }
        List<Event> events = response.getEventsList().stream()
                .map(EtcdMessages::fromEtcd)
                .filter(event -> event.revision() >= next)
                .toList();
        if (events.isEmpty()) {
            requestMore();
            return;
        }
        long last = events.getLast().revision();
        next = last + 1;
        WatchBatch batch = new WatchBatch(last, events);
        loop.execute(() -> {
            if (!cancelled) {
                listener.changed(batch);
                requestMore();
            }
        });
    }

    private void created(WatchResponse response) {
        boolean inThePast = next > 1 && response.getHeader().getRevision() >= next;
        ClientCallStreamObserver<io.etcd.jetcd.api.WatchRequest> open = stream;
        if (inThePast && replaced == NONE && open != null && !isOver()) {
            replaced = response.getWatchId();
            open.onNext(io.etcd.jetcd.api.WatchRequest.newBuilder()
                    .setCancelRequest(WatchCancelRequest.newBuilder().setWatchId(replaced))
                    .build());
            open.onNext(creation(next - 1));
        }
    }

    private void requestMore() {
        ClientCallStreamObserver<io.etcd.jetcd.api.WatchRequest> open = stream;
        if (open != null) {
            open.request(1);
        }
    }

    private Fault canceled(WatchResponse response) {
        if (response.getCompactRevision() > 0) {
            return new Fault(
                    Fault.Kind.OUT_OF_RANGE,
                    "watch: its revision is compacted (up to " + response.getCompactRevision()
                            + "); read everything again");
        }
        String reason = response.getCancelReason();
        // etcd calls a token that it does not take any more a lack of rights here.
        boolean denied = reason.contains("permission denied");
        if (denied || EtcdFaults.isOfToken(reason)) {
            channel.forget(login);
        }
        return new Fault(denied ? Fault.Kind.DENIED : Fault.Kind.UNAVAILABLE, "watch: etcd ended it: " + reason);
    }

    @Override
    public void onError(Throwable thrown) {
        channel.loginIsOver(login, thrown);
        end(EtcdFaults.unavailable("watch", Status.fromThrowable(thrown)));
    }

    @Override
    public void onCompleted() {
        end(new Fault(Fault.Kind.UNAVAILABLE, "watch: etcd ended the stream"));
    }

    /** Ends the watch and tells the listener, once. */
    void end(Fault fault) {
        if (ended.compareAndSet(false, true)) {
            cancelStream();
            loop.execute(() -> {
                if (!cancelled) {
                    listener.ended(fault);
                }
            });
        }
    }

    boolean isOver() {
        return cancelled || ended.get();
    }

    @Override
    public void cancel() {
        cancelled = true;
        if (ended.compareAndSet(false, true)) {
            cancelStream();
        }
    }

    private void cancelStream() {
        ClientCallStreamObserver<io.etcd.jetcd.api.WatchRequest> open = stream;
        if (open != null) {
            open.cancel("the watch is over", null);
        }
    }
}
