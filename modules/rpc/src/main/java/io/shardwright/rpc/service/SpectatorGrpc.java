package io.shardwright.rpc.service;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.shardwright.control.Answers;
import io.shardwright.control.Call;
import io.shardwright.control.ControlPlane;
import io.shardwright.control.NamespaceView;
import io.shardwright.control.Reply.Refusal;
import io.shardwright.domain.InvalidField;
import io.shardwright.domain.NamespaceName;
import io.shardwright.domain.ShardKey;
import io.shardwright.proto.v1.GetRoutingTableRequest;
import io.shardwright.proto.v1.GetRoutingTableResponse;
import io.shardwright.proto.v1.GetShardOwnerRequest;
import io.shardwright.proto.v1.GetShardOwnerResponse;
import io.shardwright.proto.v1.RoutingEvent;
import io.shardwright.proto.v1.SpectatorServiceGrpc.SpectatorServiceImplBase;
import io.shardwright.proto.v1.WatchRoutingRequest;
import java.util.Optional;
import java.util.OptionalLong;

/** {@code shardwright.v1.SpectatorService}: lookups and the routing table. Thread-safe. */
public final class SpectatorGrpc extends SpectatorServiceImplBase {

    private final ControlPlane control;
    private final RoutingFeed feed;
    private final StreamThreads threads;
    private final Unary unary;

    /** Serves a control plane and the feed that listens to it. */
    public SpectatorGrpc(ControlPlane control, RoutingFeed feed, StreamThreads threads) {
        this.control = control;
        this.feed = feed;
        this.threads = threads;
        this.unary = new Unary(threads.writers());
    }

    @Override
    public void getShardOwner(GetShardOwnerRequest request, StreamObserver<GetShardOwnerResponse> response) {
        unary.run(
                response,
                call -> control.lookup(
                        new NamespaceName(request.getNamespace()), new ShardKey(request.getShardKey()), call),
                SpectatorGrpc::owner);
    }

    private static GetShardOwnerResponse owner(Answers.Owner answer) {
        GetShardOwnerResponse.Builder response = GetShardOwnerResponse.newBuilder()
                .setEpoch(answer.shard().epoch())
                .setState(ToWire.state(answer.shard()))
                .setRevision(answer.revision());
        answer.owner().ifPresent(owner -> response.setOwner(ToWire.executor(owner)));
        return response.build();
    }

    @Override
    public void getRoutingTable(GetRoutingTableRequest request, StreamObserver<GetRoutingTableResponse> response) {
        OptionalLong known = known(request.getKnownIncarnation(), request.getKnownRevision());
        unary.run(
                response,
                (Call<NamespaceRoutes> call) -> {
                    NamespaceName name = new NamespaceName(request.getNamespace());
                    feed.routes(name).ifPresentOrElse(call::ok, () -> call.refuse(refusal(name)));
                },
                routes -> table(routes, known));
    }

    private GetRoutingTableResponse table(NamespaceRoutes routes, OptionalLong known) {
        GetRoutingTableResponse.Builder table =
                GetRoutingTableResponse.newBuilder().setIncarnation(feed.incarnation());
        if (known.isPresent()
                && routes.after(known.getAsLong()) instanceof NamespaceRoutes.Next.UpToDate(long revision)) {
            return table.setNotModified(true).setRevision(revision).build();
        }
        NamespaceView view = routes.newest();
        table.setRevision(view.revision());
        Optional<RoutingParts.Place> place = Optional.of(RoutingParts.Place.BEGIN);
        while (place.isPresent()) {
            RoutingParts.Part part = routes.part(view, place.get());
            table.addAllExecutors(part.event().getSnapshot().getExecutorsList());
            table.addAllShards(part.event().getSnapshot().getShardsList());
            place = part.next();
        }
        return table.build();
    }

    @Override
    public void watchRouting(WatchRoutingRequest request, StreamObserver<RoutingEvent> response) {
        try {
            NamespaceName name = new NamespaceName(request.getNamespace());
            Optional<NamespaceRoutes> routes = feed.routes(name);
            if (routes.isEmpty()) {
                response.onError(Refusals.status(refusal(name)));
                return;
            }
            new RoutingStream(
                            (ServerCallStreamObserver<RoutingEvent>) response,
                            threads,
                            routes.get(),
                            feed.incarnation(),
                            known(request.getKnownIncarnation(), request.getKnownRevision()))
                    .open();
        } catch (InvalidField invalid) {
            response.onError(Refusals.status(invalid));
        }
    }

    /** A standby may not have heard yet of a namespace that the leader just created. */
    private Refusal refusal(NamespaceName name) {
        return control.serving() ? feed.refusal(name) : control.notLeading();
    }

    /** Revisions compare only within one incarnation. */
    private OptionalLong known(String incarnation, long revision) {
        return incarnation.equals(feed.incarnation()) ? OptionalLong.of(revision) : OptionalLong.empty();
    }
}
