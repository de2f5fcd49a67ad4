package io.shardwright.sim.network;

import java.util.ArrayDeque;

/** One direction between two machines. */
final class Link {

    private static final long BASE_LATENCY = 200_000;
    private static final long MEAN_JITTER = 300_000;
    /** What a link or a reader cannot take stays with the sender, so what is under way is only so far behind. */
    private static final long FARTHEST_BEHIND = 5_000_000_000L;

    private static final int FRAME_BYTES = 50;
    private static final double TAIL = 0.002;
    private static final long LONGEST_TAIL = 400_000_000;

    final String from;
    final String to;
    private final Network network;
    private final ArrayDeque<Runnable> held = new ArrayDeque<>();
    private int blocks;
    private double loss;
    private long extraLatency;
    private double nanosPerByte;
    private long busyUntil; // while bytes that were sent earlier are under way

    Link(Network network, String from, String to) {
        this.network = network;
        this.from = from;
        this.to = to;
    }

    boolean blocked() {
        return blocks > 0;
    }

    void block() {
        blocks++;
    }

    /** Ends one reason to block; what was held goes on its way in order, as retransmitted segments do. */
    void unblock() {
        if (--blocks == 0) {
            while (!held.isEmpty()) {
                held.poll().run();
            }
        }
    }

    void lossy(double probability) {
        loss = probability;
    }

    void slower(long nanos) {
        extraLatency += nanos;
    }

    void bandwidth(double bytesPerSecond) {
        nanosPerByte = bytesPerSecond == 0 ? 0 : 1e9 / bytesPerSecond;
    }

    boolean drops() {
        return loss > 0 && network.random().chance(loss);
    }

    /** Sends a frame that carries no message. */
    void send(Order order, Runnable arrival) {
        send(order, FRAME_BYTES, arrival);
    }

    /** Sends something off, in order behind what went before it on the same stream. */
    void send(Order order, int bytes, Runnable arrival) {
        if (blocked()) {
            network.wire().counted("message held by a cut");
            held.add(() -> send(order, bytes, arrival));
            return;
        }
        long sent = network.kernel().now();
        if (nanosPerByte > 0) {
            if (busyUntil > sent) {
                network.wire().counted("message waited for a narrow link");
            }
            long passed = Math.max(busyUntil, sent) + (long) (bytes * nanosPerByte);
            busyUntil = Math.min(passed, sent + FARTHEST_BEHIND);
            sent = busyUntil;
        }
        // Never two at one time: ties are drawn.
        long due = Math.max(sent + latency(), order.floor + 1);
        long read = Math.min(order.floor + network.readingTime(to), sent + FARTHEST_BEHIND);
        if (read > due) {
            network.wire().counted("message waited for a slow reader");
            due = read;
        }
        order.floor = due;
        network.kernel().at(due, arrival);
    }

    private long latency() {
        if (extraLatency > 0) {
            network.wire().counted("message delayed by a fault");
        }
        long latency = BASE_LATENCY + network.random().exponential(MEAN_JITTER) + extraLatency;
        return network.random().chance(TAIL) ? latency + network.random().between(0, LONGEST_TAIL) : latency;
    }
}
