package io.shardwright.server;

import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/** Who this process is, for people (R36). */
final class Identity {

    private Identity() {}

    /** Returns {@code host/pid-N/start-seconds}; the host is the name of the pod where there is one. */
    static String ofThisProcess() {
        String host = Stream.of("POD_NAME", "HOSTNAME")
                .map(System.getenv()::get)
                .flatMap(name -> Optional.ofNullable(name).stream())
                .filter(name -> !name.isBlank())
                .findFirst()
                .orElse("unknown-host");
        ProcessHandle process = ProcessHandle.current();
        long start = process.info().startInstant().map(Instant::getEpochSecond).orElse(0L);
        return host + "/pid-" + process.pid() + "/" + start;
    }

    /** Returns the build version, or an empty text where this does not run from a jar that names one (R152). */
    static String version() {
        return Optional.ofNullable(Identity.class.getPackage().getImplementationVersion())
                .orElse("");
    }
}
