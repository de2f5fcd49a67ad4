package io.shardwright.domain.scratch;

import io.grpc.Deadline;
import io.shardwright.domain.system.SystemClock;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.function.ToIntFunction;
import javax.sql.DataSource;

/** Breaks each rule of deterministic code once, so that the tests of the rules can show that they would see it. */
final class OutOfBounds {

    private static final AtomicLong COUNT = new AtomicLong();
    private static final ArrayList<String> SEEN = new ArrayList<>();

    @SuppressWarnings("NonFinalStaticField")
    private static int runs;

    private OutOfBounds() {}

    static long kept(String name) {
        SEEN.add(name);
        runs++;
        return COUNT.incrementAndGet() + runs + SEEN.size();
    }

    static SystemClock clock() {
        return new SystemClock();
    }

    static long now() {
        return System.nanoTime();
    }

    static int draw() {
        return new Random().nextInt();
    }

    static UUID id() {
        return UUID.randomUUID();
    }

    static Map<String, String> unordered() {
        return new HashMap<>();
    }

    static Map<String, String> unorderedByItsNewerName() {
        return HashMap.newHashMap(8);
    }

    static Set<String> salted() {
        return Set.of("a", "b");
    }

    static int hashOfIdentity(Object something) {
        return something.hashCode() + System.identityHashCode(something);
    }

    static ToIntFunction<Runnable> hashOfReference() {
        return Object::hashCode;
    }

    static int hashOfEnum(Thread.State state) {
        return state.hashCode() + Objects.hash(state);
    }

    static Thread thread(Runnable task) {
        return new Thread(task);
    }

    @SuppressWarnings("WaitNotInLoop")
    static void await(Object monitor, Condition condition) throws InterruptedException {
        synchronized (monitor) {
            monitor.wait();
        }
        condition.await();
    }

    static CompletableFuture<Void> elsewhere(Runnable task) {
        return CompletableFuture.runAsync(task);
    }

    static ThreadLocal<String> perThread() {
        return new ThreadLocal<>();
    }

    static String machine() {
        return Locale.getDefault()
                + TimeZone.getDefault().getID()
                + System.lineSeparator()
                + Runtime.getRuntime().availableProcessors();
    }

    static Deadline.Ticker ticker() {
        return Deadline.getSystemTicker();
    }

    static int port(ServerSocket socket) {
        return socket.getLocalPort();
    }

    static String database(DataSource source) {
        return source.toString();
    }
}
