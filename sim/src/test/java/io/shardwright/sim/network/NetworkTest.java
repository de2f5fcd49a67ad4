package io.shardwright.sim.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.StringValue;
import io.grpc.BindableService;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.shardwright.sim.kernel.Kernel;
import io.shardwright.sim.kernel.ProcessClock;
import io.shardwright.sim.kernel.SimProcess;
import io.shardwright.sim.kernel.SimRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the network promises to those on it, and what its faults do. */
final class NetworkTest {

    private static final long SECOND = 1_000_000_000L;
    private static final String ADDRESS = "server:1";

    /** Answers with as many messages as the request says, or with what it says where that is no number. */
    private static final MethodDescriptor<StringValue, StringValue> COUNT = method("Count");

    /** Never answers. */
    private static final MethodDescriptor<StringValue, StringValue> SILENT = method("Silent");

    private final Kernel kernel = new Kernel(7, new Quiet());
    private final Network network = new Network(kernel, SimRandom.of(7, "net"), new Quiet());
    private final SimProcess client = kernel.process("client", ProcessClock.TRUE);
    private final SimProcess server = kernel.process("server", ProcessClock.TRUE);
    private final List<String> heard = new ArrayList<>();
    private final List<Long> heardAt = new ArrayList<>();
    private final List<String> served = new ArrayList<>();
    private final List<String> cancelled = new ArrayList<>();

    private static final class Quiet implements Kernel.Observer, Wire {
        @Override
        public void ran(SimProcess process) {}

        @Override
        public void threw(SimProcess process, Throwable thrown) {
            throw new AssertionError(thrown);
        }

        @Override
        public void sent(Packet packet) {}

        @Override
        public void counted(String fact) {}

        @Override
        public void delivered(Packet packet) {}

        @Override
        public void lost(Packet packet) {}
    }

    private static MethodDescriptor<StringValue, StringValue> method(String name) {
        return MethodDescriptor.<StringValue, StringValue>newBuilder()
                .setType(MethodDescriptor.MethodType.SERVER_STREAMING)
                .setFullMethodName("test.Service/" + name)
                .setRequestMarshaller(ProtoUtils.marshaller(StringValue.getDefaultInstance()))
                .setResponseMarshaller(ProtoUtils.marshaller(StringValue.getDefaultInstance()))
                .build();
    }

    private BindableService service() {
        return () -> ServerServiceDefinition.builder("test.Service")
                .addMethod(COUNT, ServerCalls.asyncServerStreamingCall((request, answers) -> {
                    served.add(request.getValue());
                    int messages = Integer.parseInt(request.getValue());
                    IntStream.range(0, messages).forEach(i -> answers.onNext(StringValue.of("" + i)));
                    answers.onCompleted();
                }))
                .addMethod(SILENT, ServerCalls.asyncServerStreamingCall((request, answers) -> {
                    served.add(request.getValue());
                    ((ServerCallStreamObserver<StringValue>) answers)
                            .setOnCancelHandler(() -> cancelled.add(request.getValue()));
                }))
                .build();
    }

    private ManagedChannel connected() {
        network.listen(ADDRESS, server, List.of(service()));
        ManagedChannel channel = network.channel(client, ADDRESS);
        channel.getState(true);
        run(2 * SECOND);
        return channel;
    }

    private void call(ManagedChannel channel, MethodDescriptor<StringValue, StringValue> method, String request) {
        ClientCalls.asyncServerStreamingCall(
                channel.newCall(method, CallOptions.DEFAULT), StringValue.of(request), new StreamObserver<>() {
                    @Override
                    public void onNext(StringValue message) {
                        heard.add(message.getValue());
                        heardAt.add(kernel.now());
                    }

                    @Override
                    public void onError(Throwable thrown) {
                        heard.add(Status.fromThrowable(thrown).getCode().name());
                    }

                    @Override
                    public void onCompleted() {
                        heard.add("end");
                    }
                });
    }

    private void run(long nanos) {
        kernel.runUntil(kernel.now() + nanos, () -> false);
    }

    @Test
    void messagesOfOneStreamArriveInTheOrderInWhichTheyWereSent() {
        ManagedChannel channel = connected();

        call(channel, COUNT, "200");
        run(5 * SECOND);

        List<String> sent =
                new ArrayList<>(IntStream.range(0, 200).mapToObj(i -> "" + i).toList());
        sent.add("end");
        assertEquals(sent, heard);
    }

    @Test
    void nothingPassesACutAndWhatWasHeldArrivesInOrderAfterwards() {
        ManagedChannel channel = connected();
        network.block("client", "server");
        network.block("server", "client");

        call(channel, COUNT, "3");
        run(5 * SECOND);
        assertEquals(List.of(), served);

        network.unblock("client", "server");
        run(SECOND);
        assertEquals(List.of("3"), served);
        assertEquals(List.of(), heard);

        network.unblock("server", "client");
        run(SECOND);
        assertEquals(List.of("0", "1", "2", "end"), heard);
    }

    @Test
    void aCutInOneDirectionStopsThatDirectionOnly() {
        ManagedChannel channel = connected();
        network.block("server", "client");

        call(channel, COUNT, "1");
        run(5 * SECOND);

        assertEquals(List.of("1"), served);
        assertEquals(List.of(), heard);
    }

    @Test
    void noConnectionIsMadeThroughACut() {
        network.listen(ADDRESS, server, List.of(service()));
        network.block("client", "server");

        call(network.channel(client, ADDRESS), COUNT, "1");
        run(25 * SECOND);

        assertEquals(List.of("UNAVAILABLE"), heard);
        assertEquals(0, network.connections());
    }

    @Test
    void aResetEndsTheConnectionForBothSides() {
        ManagedChannel channel = connected();
        call(channel, SILENT, "for ever");
        run(SECOND);
        assertEquals(1, network.connections());
        assertEquals(2, network.calls()); // as the client sees it, and as the server does

        network.reset("server", "client");
        run(SECOND);

        assertEquals(List.of("UNAVAILABLE"), heard);
        assertEquals(List.of("for ever"), cancelled);
        assertEquals(0, network.connections());
        assertEquals(0, network.calls());
    }

    @Test
    void aSlowerLinkTakesLongerByWhatWasAddedUntilItIsTakenBack() {
        ManagedChannel channel = connected();
        network.slower("server", "client", 3 * SECOND);
        long asked = kernel.now();

        call(channel, COUNT, "1");
        run(10 * SECOND);
        long slow = heardAt.getLast() - asked;
        assertTrue(slow >= 3 * SECOND && slow < 4 * SECOND, () -> slow + " ns");

        network.slower("server", "client", -3 * SECOND);
        long askedAgain = kernel.now();
        call(channel, COUNT, "1");
        run(10 * SECOND);
        assertTrue(heardAt.getLast() - askedAgain < SECOND, () -> heardAt + ", asked at " + askedAgain);
    }

    @Test
    void messagesThatDifferInOneByteGiveAnotherDigest() {
        assertEquals(digestOf("one"), digestOf("one"));
        assertNotEquals(digestOf("one"), digestOf("onf"));
    }

    private static long digestOf(String request) {
        NetworkTest run = new NetworkTest();
        run.call(run.connected(), SILENT, request);
        run.run(SECOND);
        return run.kernel.digest().value();
    }

    @Test
    void callsThatEndWithAnotherStatusGiveAnotherDigest() {
        assertNotEquals(digestOfAnEnd(Status.ABORTED), digestOfAnEnd(Status.INTERNAL));
        assertNotEquals(
                digestOfAnEnd(Status.ABORTED.withDescription("a")), digestOfAnEnd(Status.ABORTED.withDescription("b")));
    }

    private static long digestOfAnEnd(Status status) {
        NetworkTest run = new NetworkTest();
        BindableService refuses = () -> ServerServiceDefinition.builder("test.Service")
                .addMethod(
                        COUNT,
                        ServerCalls.asyncServerStreamingCall(
                                (request, answers) -> answers.onError(status.asRuntimeException())))
                .build();
        run.network.listen(ADDRESS, run.server, List.of(refuses));
        run.call(run.network.channel(run.client, ADDRESS), COUNT, "1");
        run.run(SECOND);
        return run.kernel.digest().value();
    }
}
