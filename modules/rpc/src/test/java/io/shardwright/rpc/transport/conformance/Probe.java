package io.shardwright.rpc.transport.conformance;

import com.google.protobuf.ByteString;
import com.google.protobuf.BytesValue;
import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.ServerCalls.BidiStreamingMethod;
import io.grpc.stub.ServerCalls.ServerStreamingMethod;
import io.grpc.stub.ServerCalls.UnaryMethod;
import io.grpc.stub.StreamObserver;

/**
 * A service whose behaviour each test writes itself; by default unary calls and chats echo, and streams end at once.
 */
final class Probe implements BindableService {
    static final String SERVICE = "shardwright.test.Probe";
    static final MethodDescriptor<BytesValue, BytesValue> UNARY = method("Unary", MethodType.UNARY);
    static final MethodDescriptor<BytesValue, BytesValue> STREAM = method("Stream", MethodType.SERVER_STREAMING);
    static final MethodDescriptor<BytesValue, BytesValue> CHAT = method("Chat", MethodType.BIDI_STREAMING);

    private UnaryMethod<BytesValue, BytesValue> unary = Probe::echo;
    private ServerStreamingMethod<BytesValue, BytesValue> stream = (request, replies) -> replies.onCompleted();
    private BidiStreamingMethod<BytesValue, BytesValue> chat = Probe::echoAll;

    Probe unary(UnaryMethod<BytesValue, BytesValue> behaviour) {
        unary = behaviour;
        return this;
    }

    Probe stream(ServerStreamingMethod<BytesValue, BytesValue> behaviour) {
        stream = behaviour;
        return this;
    }

    Probe chat(BidiStreamingMethod<BytesValue, BytesValue> behaviour) {
        chat = behaviour;
        return this;
    }

    @Override
    public ServerServiceDefinition bindService() {
        return ServerServiceDefinition.builder(SERVICE)
                .addMethod(UNARY, ServerCalls.asyncUnaryCall(unary))
                .addMethod(STREAM, ServerCalls.asyncServerStreamingCall(stream))
                .addMethod(CHAT, ServerCalls.asyncBidiStreamingCall(chat))
                .build();
    }

    static BytesValue text(String text) {
        return BytesValue.of(ByteString.copyFromUtf8(text));
    }

    static String text(BytesValue message) {
        return message.getValue().toStringUtf8();
    }

    static BytesValue bytes(int size) {
        return BytesValue.of(ByteString.copyFrom(new byte[size]));
    }

    static MethodDescriptor<BytesValue, BytesValue> method(String name, MethodType type) {
        return MethodDescriptor.<BytesValue, BytesValue>newBuilder()
                .setType(type)
                .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name))
                .setRequestMarshaller(ProtoUtils.marshaller(BytesValue.getDefaultInstance()))
                .setResponseMarshaller(ProtoUtils.marshaller(BytesValue.getDefaultInstance()))
                .build();
    }

    static void echo(BytesValue request, StreamObserver<BytesValue> reply) {
        reply.onNext(request);
        reply.onCompleted();
    }

    private static StreamObserver<BytesValue> echoAll(StreamObserver<BytesValue> replies) {
        return new StreamObserver<>() {
            @Override
            public void onNext(BytesValue request) {
                replies.onNext(request);
            }

            @Override
            public void onError(Throwable cancelled) {
                // The client left: there is nobody to answer.
            }

            @Override
            public void onCompleted() {
                replies.onCompleted();
            }
        };
    }
}
