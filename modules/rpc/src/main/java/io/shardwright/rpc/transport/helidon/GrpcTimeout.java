package io.shardwright.rpc.transport.helidon;

import io.grpc.Metadata;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Reads the {@code grpc-timeout} header, which Helidon passes on without acting on it. */
final class GrpcTimeout {
    private static final Metadata.Key<String> HEADER =
            Metadata.Key.of("grpc-timeout", Metadata.ASCII_STRING_MARSHALLER);

    /** The protocol allows eight digits. */
    private static final int MAX_DIGITS = 8;

    private GrpcTimeout() {}

    /**
     * The time that the client gives the call; empty if it gives none, or writes it in a way the protocol does not
     * know.
     */
    static Optional<Duration> in(Metadata headers) {
        String text = headers.get(HEADER);
        if (text == null || text.length() < 2 || text.length() > MAX_DIGITS + 1) {
            return Optional.empty();
        }
        String digits = text.substring(0, text.length() - 1);
        if (!digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return Optional.empty();
        }
        long amount = Long.parseLong(digits);
        return unit(text.charAt(text.length() - 1)).map(unit -> Duration.of(amount, unit));
    }

    private static Optional<ChronoUnit> unit(char letter) {
        return switch (letter) {
            case 'H' -> Optional.of(ChronoUnit.HOURS);
            case 'M' -> Optional.of(ChronoUnit.MINUTES);
            case 'S' -> Optional.of(ChronoUnit.SECONDS);
            case 'm' -> Optional.of(ChronoUnit.MILLIS);
            case 'u' -> Optional.of(ChronoUnit.MICROS);
            case 'n' -> Optional.of(ChronoUnit.NANOS);
            default -> Optional.empty();
        };
    }
}
