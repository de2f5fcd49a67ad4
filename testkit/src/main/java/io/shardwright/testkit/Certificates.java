package io.shardwright.testkit;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Self-signed certificates as PEM files, made once per run. */
public final class Certificates {
    /** Of a server on this machine. */
    public static final Certificates SERVER = new Certificates("CN=localhost", "localhost", "127.0.0.1");
    /** Of a client that is known. */
    public static final Certificates CLIENT =
            new Certificates("CN=executor-7, O=Shardwright tests", "localhost", "127.0.0.1");
    /** Of a client that nobody knows. */
    public static final Certificates STRANGER =
            new Certificates("CN=stranger, O=Shardwright tests", "localhost", "127.0.0.1");
    /** Of a server that is named {@code shardwright.test}. */
    public static final Certificates ELSEWHERE = new Certificates("CN=shardwright.test", "shardwright.test");

    private final Authority.Order order;
    private @Nullable Pair pair; // guarded by this

    private Certificates(String subject, String... names) {
        this.order = Authority.Order.of(subject, names);
    }

    /** A certificate and its key. */
    public record Pair(Path certificate, Path key) {}

    /** Returns the files, which are gone when the process ends. */
    public synchronized Pair pair() {
        if (pair == null) {
            pair = Authority.selfSigned(order);
        }
        return pair;
    }
}
