package io.shardwright.rpc.transport.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.protobuf.Any;
import com.google.protobuf.BytesValue;
import com.google.rpc.ErrorInfo;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.ClientCalls;
import io.shardwright.proto.v1.NotLeader;
import io.shardwright.rpc.transport.ErrorInterceptor;
import io.shardwright.rpc.transport.GrpcTransport;
import java.util.List;
import java.util.Objects;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** What a client learns when a call fails. */
final class ErrorLines {
    private ErrorLines() {}

    static List<Line> lines() {
        return List.of(
                new Line(
                        "throw",
                        "An exception that a service throws reaches the client as a status at once",
                        ErrorLines::thrown),
                new Line(
                        "throw-in-stream",
                        "So does one thrown while a stream of requests is read",
                        ErrorLines::thrownInChat),
                new Line(
                        "description",
                        "Descriptions keep newlines, percent signs and letters beyond ASCII",
                        ErrorLines::descriptions),
                new Line(
                        "metadata",
                        "Headers, trailers and status details arrive as they were sent, binary ones too",
                        ErrorLines::metadata),
                new Line(
                        "unimplemented",
                        "An unknown service or method is answered with UNIMPLEMENTED",
                        ErrorLines::unknown));
    }

    private static void thrown(GrpcTransport transport) throws Exception {
        Probe probe = new Probe()
                        .unary((request, reply) -> {
                            throw "status".equals(Probe.text(request))
                                    ? Status.NOT_FOUND
                                            .withDescription("no such thing")
                                            .asRuntimeException()
                                    : new IllegalStateException("a secret detail");
                        })
                        .stream((request, replies) -> replies.onError(new IllegalStateException("a secret detail")));
        try (Rig rig = Rig.start(transport, probe)) {
            assertEquals(
                    Status.Code.NOT_FOUND,
                    rig.unaryFailure(Probe.text("status")).getStatus().getCode());
            assertBug(rig.unaryFailure(Probe.text("bug")));
            Received stream = rig.stream();
            assertBug(stream.status().asRuntimeException(stream.trailers()));
        }
    }

    private static void thrownInChat(GrpcTransport transport) throws Exception {
        Probe probe = new Probe().chat(replies -> {
            throw new IllegalStateException("a secret detail");
        });
        try (Rig rig = Rig.start(transport, probe)) {
            ClientCall<BytesValue, BytesValue> call = rig.channel().newCall(Probe.CHAT, CallOptions.DEFAULT);
            Received received = Received.started(call, new Metadata());
            call.sendMessage(Probe.text("hello"));
            assertBug(received.status().asRuntimeException(received.trailers()));
            assertEquals(
                    "still here",
                    Probe.text(rig.unary(Probe.text("still here"))),
                    "the connection must survive a failed call");
        }
    }

    private static void assertBug(StatusRuntimeException failure) throws Exception {
        assertEquals(Status.Code.INTERNAL, failure.getStatus().getCode(), failure::toString);
        assertFalse(String.valueOf(failure.getMessage()).contains("secret"), failure::toString);
        com.google.rpc.Status details = detailsOf(failure);
        assertEquals(1, details.getDetailsCount(), "number of details");
        ErrorInfo info = details.getDetails(0).unpack(ErrorInfo.class);
        assertEquals(ErrorInterceptor.ERROR_DOMAIN, info.getDomain());
        assertEquals(ErrorInterceptor.BUG, info.getReason());
    }

    private static com.google.rpc.Status detailsOf(StatusRuntimeException failure) {
        return Objects.requireNonNull(StatusProto.fromThrowable(failure), "status details");
    }

    private static void descriptions(GrpcTransport transport) throws Exception {
        Probe probe = new Probe()
                .unary((request, reply) -> reply.onError(Status.INVALID_ARGUMENT
                        .withDescription(Probe.text(request))
                        .asRuntimeException()));
        try (Rig rig = Rig.start(transport, probe)) {
            for (String description :
                    List.of("first\nsecond\r\nthird", "naïve 検証 🙂", "100%41 of %zz%", "tab\tnul\0")) {
                assertEquals(
                        description,
                        rig.unaryFailure(Probe.text(description)).getStatus().getDescription());
            }
        }
    }

    private static final Metadata.Key<String> ASCII = Metadata.Key.of("x-probe", Metadata.ASCII_STRING_MARSHALLER);
    private static final Metadata.Key<byte[]> BINARY = Metadata.Key.of("x-probe-bin", Metadata.BINARY_BYTE_MARSHALLER);
    private static final Context.Key<Metadata> SEEN = Context.key("seen");

    private static void metadata(GrpcTransport transport) throws Exception {
        NotLeader notLeader = NotLeader.newBuilder()
                .setLeaderHost("ten.example")
                .setLeaderPort(7400)
                .build();
        Probe probe = new Probe().unary((request, reply) -> {
            com.google.rpc.Status status = com.google.rpc.Status.newBuilder()
                    .setCode(Status.Code.UNAVAILABLE.value())
                    .setMessage("not the leader")
                    .addDetails(Any.pack(notLeader))
                    .build();
            reply.onError(StatusProto.toStatusRuntimeException(status, SEEN.get()));
        });
        try (Rig rig = Rig.start(transport, probe, settings -> settings, new HeadersToContext())) {
            Metadata sent = new Metadata();
            sent.put(ASCII, "one");
            sent.put(ASCII, "two");
            sent.put(BINARY, new byte[] {0, 1, (byte) 0xff});
            ClientCall<BytesValue, BytesValue> call = rig.channel().newCall(Probe.UNARY, CallOptions.DEFAULT);
            Received received = Received.started(call, sent);
            call.request(1);
            call.sendMessage(Probe.text("x"));
            call.halfClose();
            StatusRuntimeException failure = received.status().asRuntimeException(received.trailers());
            assertEquals(Status.Code.UNAVAILABLE, failure.getStatus().getCode());
            assertEquals(notLeader, detailsOf(failure).getDetails(0).unpack(NotLeader.class));
            assertEquals("one,two", values(received.trailers()));
            assertArrayEquals(
                    new byte[] {0, 1, (byte) 0xff}, received.trailers().get(BINARY));
        }
    }

    /** The protocol lets a transport join values of one name by commas. */
    private static String values(Metadata metadata) {
        return String.join(",", listOf(metadata.getAll(ASCII))).replace(" ", "");
    }

    private static List<String> listOf(@Nullable Iterable<String> all) {
        return all == null
                ? List.of()
                : StreamSupport.stream(all.spliterator(), false).toList();
    }

    /** Hands the probe the request's own headers, to send back as trailers. */
    private static final class HeadersToContext implements ServerInterceptor {
        @Override
        public <Q, R> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
            Metadata ours = new Metadata();
            listOf(headers.getAll(ASCII)).forEach(value -> ours.put(ASCII, value));
            ours.put(BINARY, headers.get(BINARY));
            return Contexts.interceptCall(Context.current().withValue(SEEN, ours), call, headers, next);
        }
    }

    private static void unknown(GrpcTransport transport) throws Exception {
        try (Rig rig = Rig.start(transport, new Probe())) {
            assertUnimplemented(rig, Probe.method("Missing", MethodType.UNARY));
            assertUnimplemented(
                    rig,
                    Probe.UNARY.toBuilder()
                            .setFullMethodName("no.such.Service/Unary")
                            .build());
            assertEquals("x", Probe.text(rig.unary(Probe.text("x"))));
        }
    }

    private static void assertUnimplemented(Rig rig, MethodDescriptor<BytesValue, BytesValue> method) {
        StatusRuntimeException failure = assertThrows(
                StatusRuntimeException.class,
                () -> ClientCalls.blockingUnaryCall(rig.channel(), method, CallOptions.DEFAULT, Probe.text("x")));
        assertEquals(Status.Code.UNIMPLEMENTED, failure.getStatus().getCode());
    }
}
