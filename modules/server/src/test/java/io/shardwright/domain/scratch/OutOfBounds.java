package io.shardwright.domain.scratch;

import io.shardwright.domain.system.SystemClock;
import java.net.ServerSocket;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import javax.sql.DataSource;

/** Breaks each rule of deterministic code once, so that the tests of the rules can show that they would see it. */
final class OutOfBounds {

    private OutOfBounds() {}

    static SystemClock clock() {
        return new SystemClock();
    }

    static long now() {
        return System.nanoTime();
    }

    static int draw() {
        return new Random().nextInt();
    }

    static Map<String, String> unordered() {
        return new HashMap<>();
    }

    static Thread thread(Runnable task) {
        return new Thread(task);
    }

    static int port(ServerSocket socket) {
        return socket.getLocalPort();
    }

    static String database(DataSource source) {
        return source.toString();
    }
}
