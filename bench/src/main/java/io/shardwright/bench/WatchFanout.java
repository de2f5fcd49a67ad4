package io.shardwright.bench;

import io.grpc.ManagedChannel;
import io.grpc.stub.StreamObserver;
import io.shardwright.control.Delivery;
import io.shardwright.domain.Shard;
import io.shardwright.domain.ShardKey;
import io.shardwright.proto.v1.RoutingEvent;
import io.shardwright.proto.v1.SpectatorServiceGrpc;
import io.shardwright.proto.v1.WatchRoutingRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * From a change of one assignment to its arrival at each of 1,000 watching spectators, load and server in one process
 * on the same cores. The time begins when the old owner's release is handed to the control plane, so it contains the
 * decision and the store.
 */
public final class WatchFanout {

    private static final int EXECUTORS = 100;
    private static final int SHARDS = 1000;
    private static final int CHANNELS = 20;
    private static final int CHANGES = 60;
    private static final int WARM_UP = 20;

    private WatchFanout() {}

    /** Runs; the argument is the number of spectators, by default 1,000. */
    public static void main(String[] args) throws Exception {
        int spectators = args.length > 0 ? Integer.parseInt(args[0]) : 1000;
        try (Lab lab = Lab.served(EXECUTORS, SHARDS)) {
            Watchers watchers = new Watchers(spectators);
            List<ManagedChannel> channels = new ArrayList<>();
            for (int i = 0; i < CHANNELS; i++) {
                channels.add(lab.channel());
            }
            for (int i = 0; i < spectators; i++) {
                SpectatorServiceGrpc.newStub(channels.get(i % CHANNELS))
                        .watchRouting(
                                WatchRoutingRequest.newBuilder()
                                        .setNamespace(Lab.NAMESPACE.value())
                                        .build(),
                                watchers.observer());
            }
            watchers.awaitSnapshots();
            for (int change = 0; change < CHANGES; change++) {
                watchers.begin(change >= WARM_UP);
                move(lab, change);
                watchers.awaitDeltas();
            }
            Figures.printMillis("one change to each of " + spectators + " spectators", watchers.nanos());
            Figures.printMillis("one change to the last of " + spectators + " spectators", watchers.slowest());
            watchers.over = true;
            channels.forEach(ManagedChannel::shutdownNow);
        }
    }

    private static void move(Lab lab, int number) {
        Shard shard =
                lab.view().table().find(new ShardKey(Integer.toString(number))).orElseThrow();
        int owner = Integer.parseInt(shard.owner().orElseThrow().value().substring("executor-".length()));
        lab.control()
                .release(
                        Lab.NAMESPACE,
                        Lab.caller(owner),
                        List.of(new Delivery.Entry(shard.key(), shard.epoch())),
                        reply -> {});
    }

    /** All spectators. */
    private static final class Watchers {
        private final int count;
        private final CountDownLatch snapshots;
        private final ConcurrentLinkedQueue<Long> measured = new ConcurrentLinkedQueue<>();
        private final List<Long> slowest = new ArrayList<>();
        private volatile CountDownLatch deltas = new CountDownLatch(0);
        private volatile long begun;
        private volatile boolean measuring;
        private volatile boolean over;

        Watchers(int count) {
            this.count = count;
            this.snapshots = new CountDownLatch(count);
        }

        void begin(boolean measure) {
            deltas = new CountDownLatch(count);
            measuring = measure;
            begun = System.nanoTime();
        }

        StreamObserver<RoutingEvent> observer() {
            return new StreamObserver<>() {
                @Override
                public void onNext(RoutingEvent event) {
                    if (event.hasSnapshot() && event.getSnapshot().getLast()) {
                        snapshots.countDown();
                    } else if (event.hasDelta() && event.getDelta().getShardsCount() > 0) {
                        if (measuring) {
                            measured.add(System.nanoTime() - begun);
                        }
                        deltas.countDown();
                    }
                }

                @Override
                public void onError(Throwable failure) {
                    if (!over) {
                        System.err.println("a stream ended: " + failure.getMessage());
                    }
                }

                @Override
                public void onCompleted() {}
            };
        }

        void awaitSnapshots() throws InterruptedException {
            require(snapshots.await(60, TimeUnit.SECONDS), "snapshots");
        }

        void awaitDeltas() throws InterruptedException {
            require(deltas.await(30, TimeUnit.SECONDS), "deltas");
            if (measuring) {
                slowest.add(System.nanoTime() - begun);
            }
        }

        private static void require(boolean arrived, String what) {
            if (!arrived) {
                throw new IllegalStateException("not all " + what + " arrived");
            }
        }

        long[] nanos() {
            return measured.stream().mapToLong(Long::longValue).toArray();
        }

        long[] slowest() {
            return slowest.stream().mapToLong(Long::longValue).toArray();
        }
    }
}
