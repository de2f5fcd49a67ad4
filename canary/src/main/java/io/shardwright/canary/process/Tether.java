package io.shardwright.canary.process;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;

/**
 * Runs another main class and ends the process when standard input ends, which it does when the parent is gone, however
 * the parent went. First argument: the main class; the others are its own.
 */
public final class Tether {

    private static final int GRACE_MILLIS = 10_000;

    private Tether() {}

    /** Runs the main class. */
    public static void main(String[] args) throws Throwable {
        InputStream parent = System.in;
        Thread.ofPlatform().daemon().name("tether").start(() -> endWith(parent));
        try {
            Class.forName(args[0]).getMethod("main", String[].class).invoke(null, (Object)
                    Arrays.copyOfRange(args, 1, args.length));
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    private static void endWith(InputStream parent) {
        try {
            while (parent.read() >= 0) {
                // The parent says nothing; only the end matters.
            }
        } catch (IOException gone) {
            System.getLogger(Tether.class.getName()).log(System.Logger.Level.DEBUG, "standard input broke", gone);
        }
        Thread.ofPlatform().daemon().name("tether-grace").start(Tether::haltAfterGrace);
        System.exit(0);
    }

    private static void haltAfterGrace() {
        try {
            Thread.sleep(GRACE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(1);
    }
}
