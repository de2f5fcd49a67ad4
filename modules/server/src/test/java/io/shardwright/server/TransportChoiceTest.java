package io.shardwright.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.TlsChannelCredentials;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.StreamObserver;
import io.shardwright.proto.v1.AdminServiceGrpc;
import io.shardwright.proto.v1.DescribeNamespaceRequest;
import io.shardwright.server.config.ConfigInputs;
import io.shardwright.server.config.ConfigInputs.Flag;
import io.shardwright.server.config.ConfigLoader;
import io.shardwright.testkit.Certificates;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A whole server on each transport that {@code grpc.transport} names. */
final class TransportChoiceTest {

    @ParameterizedTest
    @CsvSource({"netty, false", "netty, true", "helidon, false", "helidon, true"})
    void aServerServesItsServicesHealthAndReflection(String transport, boolean tls) throws Exception {
        Certificates.Pair pair = Certificates.SERVER.pair();
        List<Flag> flags = new ArrayList<>(List.of(
                new Flag("--set", "persistence.type", "memory"),
                new Flag("--set", "grpc.transport", transport),
                new Flag("--set", "grpc.port", "0"),
                new Flag("--set", "http.enabled", "false"),
                new Flag("--namespace", "namespaces", "orders:fixed:4")));
        if (tls) {
            flags.add(new Flag("--set", "grpc.tls.cert-file", pair.certificate().toString()));
            flags.add(new Flag("--set", "grpc.tls.key-file", pair.key().toString()));
        }
        ChannelCredentials credentials = tls
                ? TlsChannelCredentials.newBuilder()
                        .trustManager(pair.certificate().toFile())
                        .build()
                : InsecureChannelCredentials.create();
        try (Server server = Server.start(
                ConfigLoader.load(new ConfigInputs(flags, Map.of(), Optional.empty(), Path.of("nowhere"))))) {
            ManagedChannel channel = Grpc.newChannelBuilder("localhost:" + server.grpcPort(), credentials)
                    .build();
            try {
                assertEquals(
                        4,
                        AdminServiceGrpc.newBlockingStub(channel)
                                .describeNamespace(DescribeNamespaceRequest.newBuilder()
                                        .setNamespace("orders")
                                        .build())
                                .getNamespace()
                                .getShardCount());
                assertEquals(
                        ServingStatus.SERVING,
                        HealthGrpc.newBlockingStub(channel)
                                .check(HealthCheckRequest.getDefaultInstance())
                                .getStatus());
                assertTrue(services(channel)
                        .containsAll(List.of(
                                "grpc.health.v1.Health",
                                "shardwright.v1.AdminService",
                                "shardwright.v1.ExecutorService",
                                "shardwright.v1.SpectatorService")));
            } finally {
                channel.shutdownNow();
            }
        }
    }

    private static TreeSet<String> services(ManagedChannel channel) throws Exception {
        CompletableFuture<TreeSet<String>> names = new CompletableFuture<>();
        StreamObserver<ServerReflectionRequest> requests = ServerReflectionGrpc.newStub(channel)
                .serverReflectionInfo(new StreamObserver<>() {
                    @Override
                    public void onNext(ServerReflectionResponse response) {
                        TreeSet<String> all = new TreeSet<>();
                        response.getListServicesResponse().getServiceList().stream()
                                .map(ServiceResponse::getName)
                                .forEach(all::add);
                        names.complete(all);
                    }

                    @Override
                    public void onError(Throwable failure) {
                        names.completeExceptionally(failure);
                    }

                    @Override
                    public void onCompleted() {}
                });
        requests.onNext(ServerReflectionRequest.newBuilder().setListServices("").build());
        TreeSet<String> found = names.get(20, TimeUnit.SECONDS);
        requests.onCompleted();
        return found;
    }
}
