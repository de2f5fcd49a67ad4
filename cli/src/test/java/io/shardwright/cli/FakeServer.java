package io.shardwright.cli;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import com.google.rpc.ErrorInfo;
import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.ServerCredentials;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.StreamObserver;
import io.shardwright.proto.v1.AdminServiceGrpc;
import io.shardwright.proto.v1.CreateNamespaceRequest;
import io.shardwright.proto.v1.CreateNamespaceResponse;
import io.shardwright.proto.v1.DeleteNamespaceRequest;
import io.shardwright.proto.v1.DeleteNamespaceResponse;
import io.shardwright.proto.v1.DescribeExecutorRequest;
import io.shardwright.proto.v1.DescribeExecutorResponse;
import io.shardwright.proto.v1.DescribeNamespaceRequest;
import io.shardwright.proto.v1.DescribeNamespaceResponse;
import io.shardwright.proto.v1.DrainHostsRequest;
import io.shardwright.proto.v1.DrainHostsResponse;
import io.shardwright.proto.v1.DrainShardsRequest;
import io.shardwright.proto.v1.DrainShardsResponse;
import io.shardwright.proto.v1.InspectShardRequest;
import io.shardwright.proto.v1.InspectShardResponse;
import io.shardwright.proto.v1.ListDrainsRequest;
import io.shardwright.proto.v1.ListDrainsResponse;
import io.shardwright.proto.v1.ListExecutorsRequest;
import io.shardwright.proto.v1.ListExecutorsResponse;
import io.shardwright.proto.v1.ListNamespacesRequest;
import io.shardwright.proto.v1.ListNamespacesResponse;
import io.shardwright.proto.v1.ListReplicasRequest;
import io.shardwright.proto.v1.ListReplicasResponse;
import io.shardwright.proto.v1.NotLeader;
import io.shardwright.proto.v1.RoutingEvent;
import io.shardwright.proto.v1.SpectatorServiceGrpc;
import io.shardwright.proto.v1.TransferLeadershipRequest;
import io.shardwright.proto.v1.TransferLeadershipResponse;
import io.shardwright.proto.v1.UndrainHostsRequest;
import io.shardwright.proto.v1.UndrainHostsResponse;
import io.shardwright.proto.v1.UndrainShardsRequest;
import io.shardwright.proto.v1.UndrainShardsResponse;
import io.shardwright.proto.v1.WatchRoutingRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A server on a real socket that gives the answers a test put in: each admin call takes the next answer, each routing
 * stream the next script. Requests are kept.
 */
final class FakeServer implements AutoCloseable {
    /** What one routing stream sends; then it breaks with {@code end}, or stays open. */
    record Script(List<RoutingEvent> events, Optional<Status> end) {}

    final Queue<Message> requests = new ConcurrentLinkedQueue<>();
    private final Queue<Object> answers = new ConcurrentLinkedQueue<>();
    private final Queue<Script> scripts = new ConcurrentLinkedQueue<>();
    private final Server server;

    FakeServer() {
        this(InsecureServerCredentials.create());
    }

    FakeServer(ServerCredentials credentials) {
        try {
            server = Grpc.newServerBuilderForPort(0, credentials)
                    .addService(new Admin())
                    .addService(new Spectator())
                    .build()
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static StatusRuntimeException error(Status.Code code, String sentence, Message... details) {
        com.google.rpc.Status.Builder status =
                com.google.rpc.Status.newBuilder().setCode(code.value()).setMessage(sentence);
        for (Message detail : details) {
            status.addDetails(Any.pack(detail));
        }
        return StatusProto.toStatusRuntimeException(status.build());
    }

    static ErrorInfo info(String reason, String key, String value) {
        return ErrorInfo.newBuilder()
                .setDomain("shardwright")
                .setReason(reason)
                .putMetadata(key, value)
                .build();
    }

    /** The refusal of a standby that knows this server as the leader. */
    StatusRuntimeException namesMe() {
        return error(
                Status.Code.UNAVAILABLE,
                "this replica does not lead",
                NotLeader.newBuilder()
                        .setLeaderHost("localhost")
                        .setLeaderPort(server.getPort())
                        .build(),
                info("NOT_LEADER", "role", "standby"));
    }

    FakeServer answer(Message answer) {
        answers.add(answer);
        return this;
    }

    FakeServer fail(StatusRuntimeException error) {
        answers.add(error);
        return this;
    }

    FakeServer stream(Script script) {
        scripts.add(script);
        return this;
    }

    String address() {
        return "localhost:" + server.getPort();
    }

    @Override
    public void close() {
        server.shutdownNow();
    }

    /** Answers with what is next; with nothing at all when there is nothing, like a server that hangs. */
    private <T extends Message> void next(Message request, StreamObserver<T> observer, Class<T> type) {
        requests.add(request);
        Object answer = answers.poll();
        if (answer instanceof StatusRuntimeException error) {
            observer.onError(error);
        } else if (answer != null) {
            observer.onNext(type.cast(answer));
            observer.onCompleted();
        }
    }

    private final class Admin extends AdminServiceGrpc.AdminServiceImplBase {
        @Override
        public void createNamespace(CreateNamespaceRequest request, StreamObserver<CreateNamespaceResponse> observer) {
            next(request, observer, CreateNamespaceResponse.class);
        }

        @Override
        public void listNamespaces(ListNamespacesRequest request, StreamObserver<ListNamespacesResponse> observer) {
            next(request, observer, ListNamespacesResponse.class);
        }

        @Override
        public void describeNamespace(
                DescribeNamespaceRequest request, StreamObserver<DescribeNamespaceResponse> observer) {
            next(request, observer, DescribeNamespaceResponse.class);
        }

        @Override
        public void deleteNamespace(DeleteNamespaceRequest request, StreamObserver<DeleteNamespaceResponse> observer) {
            next(request, observer, DeleteNamespaceResponse.class);
        }

        @Override
        public void listExecutors(ListExecutorsRequest request, StreamObserver<ListExecutorsResponse> observer) {
            next(request, observer, ListExecutorsResponse.class);
        }

        @Override
        public void describeExecutor(
                DescribeExecutorRequest request, StreamObserver<DescribeExecutorResponse> observer) {
            next(request, observer, DescribeExecutorResponse.class);
        }

        @Override
        public void inspectShard(InspectShardRequest request, StreamObserver<InspectShardResponse> observer) {
            next(request, observer, InspectShardResponse.class);
        }

        @Override
        public void drainShards(DrainShardsRequest request, StreamObserver<DrainShardsResponse> observer) {
            next(request, observer, DrainShardsResponse.class);
        }

        @Override
        public void undrainShards(UndrainShardsRequest request, StreamObserver<UndrainShardsResponse> observer) {
            next(request, observer, UndrainShardsResponse.class);
        }

        @Override
        public void drainHosts(DrainHostsRequest request, StreamObserver<DrainHostsResponse> observer) {
            next(request, observer, DrainHostsResponse.class);
        }

        @Override
        public void undrainHosts(UndrainHostsRequest request, StreamObserver<UndrainHostsResponse> observer) {
            next(request, observer, UndrainHostsResponse.class);
        }

        @Override
        public void listDrains(ListDrainsRequest request, StreamObserver<ListDrainsResponse> observer) {
            next(request, observer, ListDrainsResponse.class);
        }

        @Override
        public void listReplicas(ListReplicasRequest request, StreamObserver<ListReplicasResponse> observer) {
            next(request, observer, ListReplicasResponse.class);
        }

        @Override
        public void transferLeadership(
                TransferLeadershipRequest request, StreamObserver<TransferLeadershipResponse> observer) {
            next(request, observer, TransferLeadershipResponse.class);
        }
    }

    private final class Spectator extends SpectatorServiceGrpc.SpectatorServiceImplBase {
        @Override
        public void watchRouting(WatchRoutingRequest request, StreamObserver<RoutingEvent> observer) {
            requests.add(request);
            Script script = scripts.poll();
            if (script != null) {
                script.events().forEach(observer::onNext);
                script.end().ifPresent(status -> observer.onError(status.asRuntimeException()));
            }
        }
    }
}
