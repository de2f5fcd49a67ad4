package io.shardwright.cli.call;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.rpc.ErrorInfo;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import io.shardwright.proto.v1.NotLeader;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import javax.net.ssl.SSLException;

/**
 * Reads what a failed call says: where the leader is, and a sentence for the user. The reasons are those of
 * {@code errors.proto}.
 */
final class ServerErrors {
    private ServerErrors() {}

    /** Where the leader is, if the call was refused for want of leadership and the leader is known. */
    static Optional<Address> leader(Throwable thrown) {
        return detail(thrown, NotLeader.class)
                .filter(leader -> !leader.getLeaderHost().isEmpty()
                        && leader.getLeaderPort() > 0
                        && leader.getLeaderPort() <= 65_535)
                .map(leader -> new Address(leader.getLeaderHost(), leader.getLeaderPort()));
    }

    /** Explains the failure of a call to {@code address} that had {@code timeout} to answer. */
    static CallFailedException explain(Throwable thrown, Address address, Duration timeout) {
        Status status = Status.fromThrowable(thrown);
        if (isOtherProtocol(status)) {
            return new CallFailedException(
                    address
                            + " answers, but not in gRPC; is this the gRPC port of a server (9002 by default), and not its"
                            + " HTTP port? Correct --address or SHARDCTL_ADDRESS",
                    Status.Code.UNAVAILABLE.name(),
                    "",
                    new TreeMap<>(),
                    true);
        }
        Optional<ErrorInfo> info = detail(thrown, ErrorInfo.class);
        String said = Optional.ofNullable(status.getDescription()).orElse("");
        String message = info.isPresent() && !said.isEmpty() ? said : sentence(status, said, address, timeout);
        return new CallFailedException(
                message,
                status.getCode().name(),
                info.map(ErrorInfo::getReason).orElse(""),
                new TreeMap<>(info.map(ErrorInfo::getMetadataMap).orElseGet(TreeMap::new)),
                isTransient(status.getCode()));
    }

    /** Whether what answered does not even speak HTTP/2. */
    private static boolean isOtherProtocol(Status status) {
        Throwable cause = status.getCause();
        return cause != null
                && cause.getClass().getName().endsWith("Http2Exception")
                && String.valueOf(cause.getMessage()).contains("First received frame was not SETTINGS");
    }

    private static boolean isTransient(Status.Code code) {
        return switch (code) {
            case UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED, ABORTED, INTERNAL, UNKNOWN -> true;
            default -> false;
        };
    }

    /**
     * A sentence for a failure without {@code ErrorInfo}: it never reached a Shardwright server, or that one is of
     * another version.
     */
    private static String sentence(Status status, String said, Address address, Duration timeout) {
        return switch (status.getCode()) {
            case UNAVAILABLE -> unreachable(status, said, address);
            case DEADLINE_EXCEEDED ->
                "no answer from " + address + " within " + timeoutText(timeout)
                        + "; raise --timeout, or see whether the server at that address is overloaded, waits for its"
                        + " store (its log says so), or is another program";
            case UNIMPLEMENTED ->
                "the server at " + address + " does not know this call; is it a Shardwright server of this version? ("
                        + said + ")";
            default ->
                "the call to " + address + " failed with "
                        + (said.isEmpty() ? status.getCode().toString() : status.getCode() + ": " + said);
        };
    }

    private static String unreachable(Status status, String said, Address address) {
        Throwable cause = status.getCause();
        for (int depth = 0; cause != null && depth < 10; depth++) {
            if (cause instanceof ConnectException) {
                String text = Optional.ofNullable(cause.getMessage()).orElse("").toLowerCase(Locale.ROOT);
                return "cannot connect to " + address + ": "
                        + (text.contains("refused") ? "connection refused" : text)
                        + "; start a server there, or name another one with --address or SHARDCTL_ADDRESS";
            }
            if (cause instanceof UnknownHostException) {
                return "cannot find the host of " + address + "; correct --address or SHARDCTL_ADDRESS";
            }
            if (cause instanceof SSLException) {
                return "no TLS connection to " + address + ": " + cause.getMessage()
                        + "; see whether the server speaks TLS, and check --ca-cert, --cert, --key and --server-name";
            }
            cause = cause.getCause();
        }
        return "the server at " + address + " is unavailable: " + (said.isEmpty() ? "no reason given" : said)
                + "; see whether it is running, whether it wants --tls, and whether --address or SHARDCTL_ADDRESS is right";
    }

    private static String timeoutText(Duration timeout) {
        long millis = timeout.toMillis();
        return millis % 1000 == 0 ? millis / 1000 + "s" : millis + "ms";
    }

    private static <T extends Message> Optional<T> detail(Throwable thrown, Class<T> type) {
        com.google.rpc.Status status = StatusProto.fromThrowable(thrown);
        if (status == null) {
            return Optional.empty();
        }
        for (Any any : status.getDetailsList()) {
            if (any.is(type)) {
                try {
                    return Optional.of(any.unpack(type));
                } catch (InvalidProtocolBufferException unreadable) {
                    return Optional.empty(); // a detail is an extra: the status itself still tells the story
                }
            }
        }
        return Optional.empty();
    }
}
