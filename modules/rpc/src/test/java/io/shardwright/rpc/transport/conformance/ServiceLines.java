package io.shardwright.rpc.transport.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.StreamObserver;
import io.shardwright.proto.v1.SpectatorServiceGrpc;
import io.shardwright.rpc.transport.GrpcTransport;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;

/** The services that every endpoint brings along. */
final class ServiceLines {
    private ServiceLines() {}

    static List<Line> lines() {
        return List.of(
                new Line("health", "Health can be checked and watched", ServiceLines::health),
                new Line("reflection", "Reflection lists the services and describes them", ServiceLines::reflection));
    }

    private static void health(GrpcTransport transport) throws Exception {
        try (Rig rig = Rig.start(transport, new Probe())) {
            HealthCheckRequest whole = HealthCheckRequest.getDefaultInstance();
            assertEquals(
                    ServingStatus.SERVING,
                    HealthGrpc.newBlockingStub(rig.channel()).check(whole).getStatus());
            Collector<HealthCheckResponse> watched = new Collector<>();
            HealthGrpc.newStub(rig.channel()).watch(whole, watched);
            watched.await(1);
            rig.endpoint().health().setStatus("", ServingStatus.NOT_SERVING);
            watched.await(2);
            assertEquals(
                    List.of(ServingStatus.SERVING, ServingStatus.NOT_SERVING),
                    watched.values.stream().map(HealthCheckResponse::getStatus).toList());
        }
    }

    private static void reflection(GrpcTransport transport) throws Exception {
        try (Rig rig = Rig.start(transport, new Probe())) {
            Collector<ServerReflectionResponse> answers = new Collector<>();
            StreamObserver<ServerReflectionRequest> questions =
                    ServerReflectionGrpc.newStub(rig.channel()).serverReflectionInfo(answers);
            questions.onNext(
                    ServerReflectionRequest.newBuilder().setListServices("").build());
            answers.await(1);
            List<String> listed = answers.values.getFirst().getListServicesResponse().getServiceList().stream()
                    .map(ServiceResponse::getName)
                    .toList();
            assertTrue(
                    listed.containsAll(List.of(SpectatorServiceGrpc.SERVICE_NAME, HealthGrpc.SERVICE_NAME)),
                    () -> "listed: " + listed);
            questions.onNext(ServerReflectionRequest.newBuilder()
                    .setFileContainingSymbol(SpectatorServiceGrpc.SERVICE_NAME)
                    .build());
            answers.await(2);
            assertTrue(
                    answers.values.getLast().getFileDescriptorResponse().getFileDescriptorProtoCount() > 1,
                    "the service's file comes with the files that it imports");
            questions.onCompleted();
        }
    }

    private static final class Collector<T> implements StreamObserver<T> {
        final List<T> values = new CopyOnWriteArrayList<>();
        private volatile String end = "open";

        void await(int count) {
            Awaitility.await().atMost(Rig.PATIENCE).until(() -> values.size() >= count || !end.equals("open"));
            assertTrue(values.size() >= count, () -> "got " + values + ", then: " + end);
        }

        @Override
        public void onNext(T value) {
            values.add(value);
        }

        @Override
        public void onError(Throwable error) {
            end = error.toString();
        }

        @Override
        public void onCompleted() {
            end = "completed";
        }
    }
}
