package io.shardwright.bench;

import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.MoreExecutors;
import io.grpc.ManagedChannel;
import io.shardwright.control.Delivery;
import io.shardwright.proto.v1.ExecutorServiceGrpc;
import io.shardwright.proto.v1.RenewRequest;
import io.shardwright.proto.v1.RenewResponse;
import io.shardwright.proto.v1.ShardActivity;
import io.shardwright.proto.v1.ShardClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Renewals per second through gRPC on loopback, load and server in one process on the same cores: 1,000 executors with
 * 100 shards each, 64 calls in flight on 4 connections. Prints rate and latency.
 */
public final class GrpcRenewals {

    private static final int EXECUTORS = 1000;
    private static final int SHARDS_EACH = 100;
    private static final int CHANNELS = 4;
    private static final int IN_FLIGHT = 64;
    private static final int WARM_UP = 40_000;
    private static final int MEASURED = 60_000;

    private GrpcRenewals() {}

    /** Runs. */
    public static void main(String[] args) throws Exception {
        try (Lab lab = Lab.served(EXECUTORS, EXECUTORS * SHARDS_EACH)) {
            List<ManagedChannel> channels = new ArrayList<>();
            List<ExecutorServiceGrpc.ExecutorServiceFutureStub> stubs = new ArrayList<>();
            for (int i = 0; i < CHANNELS; i++) {
                ManagedChannel channel = lab.channel();
                channels.add(channel);
                stubs.add(ExecutorServiceGrpc.newFutureStub(channel));
            }
            List<RenewRequest> requests = requests(lab);
            run(stubs, requests, 0, WARM_UP);
            long begin = System.nanoTime();
            long[] latencies = run(stubs, requests, WARM_UP, MEASURED);
            double seconds = (System.nanoTime() - begin) / 1e9;
            System.out.printf(Locale.ROOT, "renewals through gRPC: %.0f/s%n", MEASURED / seconds);
            Figures.printMillis("renewal, " + IN_FLIGHT + " in flight", latencies);
            channels.forEach(ManagedChannel::shutdownNow);
        }
    }

    private static List<RenewRequest> requests(Lab lab) {
        List<RenewRequest> requests = new ArrayList<>();
        List<List<Delivery.Entry>> sets = lab.sets(EXECUTORS);
        for (int i = 0; i < EXECUTORS; i++) {
            RenewRequest.Builder request = RenewRequest.newBuilder()
                    .setNamespace(Lab.NAMESPACE.value())
                    .setExecutorId(Lab.id(i).value())
                    .setProcessId("process-" + i);
            for (Delivery.Entry entry : sets.get(i)) {
                request.addClaims(ShardClaim.newBuilder()
                        .setShardKey(entry.key().value())
                        .setEpoch(entry.epoch())
                        .setActivity(ShardActivity.SHARD_ACTIVITY_RUNNING)
                        .setLoad(1));
            }
            requests.add(request.build());
        }
        return requests;
    }

    private static long[] run(
            List<ExecutorServiceGrpc.ExecutorServiceFutureStub> stubs, List<RenewRequest> requests, int from, int calls)
            throws InterruptedException {
        Semaphore free = new Semaphore(IN_FLIGHT);
        AtomicLongArray latencies = new AtomicLongArray(calls);
        AtomicLong wrong = new AtomicLong();
        for (int i = 0; i < calls; i++) {
            free.acquire();
            int call = i;
            RenewRequest request = requests.get(i % requests.size()).toBuilder()
                    .setSequence(1 + (from + i) / requests.size())
                    .build();
            long sent = System.nanoTime();
            Futures.addCallback(
                    stubs.get(i % stubs.size()).renew(request),
                    new FutureCallback<RenewResponse>() {
                        @Override
                        public void onSuccess(RenewResponse response) {
                            latencies.set(call, System.nanoTime() - sent);
                            if (!response.hasConfirmed()) {
                                wrong.incrementAndGet();
                            }
                            free.release();
                        }

                        @Override
                        public void onFailure(Throwable failure) {
                            wrong.incrementAndGet();
                            free.release();
                        }
                    },
                    MoreExecutors.directExecutor());
        }
        free.acquire(IN_FLIGHT);
        if (wrong.get() > 0) {
            throw new IllegalStateException(wrong + " of " + calls + " renewals failed or were not confirmed");
        }
        long[] result = new long[calls];
        for (int i = 0; i < calls; i++) {
            result[i] = latencies.get(i);
        }
        return result;
    }
}
