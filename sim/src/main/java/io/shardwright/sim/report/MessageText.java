package io.shardwright.sim.report;

import io.grpc.Status;
import io.shardwright.proto.v1.Assignment;
import io.shardwright.proto.v1.AssignmentDelivery;
import io.shardwright.proto.v1.RegisterResponse;
import io.shardwright.proto.v1.ReleaseRequest;
import io.shardwright.proto.v1.RenewRequest;
import io.shardwright.proto.v1.RenewResponse;
import io.shardwright.proto.v1.RoutingEvent;
import io.shardwright.proto.v1.ShardClaim;
import io.shardwright.proto.v1.ShardEpoch;
import io.shardwright.sim.network.Wire;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Says in a few words what a message says. */
final class MessageText {

    private static final int LISTED = 8;

    private MessageText() {}

    /** Returns the method without its package, for example {@code Renew}. */
    static String method(Wire.Packet packet) {
        return packet.method().substring(packet.method().lastIndexOf('/') + 1);
    }

    /** Returns what filters know the message by. */
    static String kind(Wire.Packet packet) {
        return switch (method(packet)) {
            case "Renew" -> "renew";
            case "Register" -> "register";
            case "WatchAssignments" ->
                packet.content() instanceof AssignmentDelivery push && push.hasBeat() ? "beat" : "push";
            case "Release", "Deregister" -> "release";
            case "WatchRouting", "GetRoutingTable", "GetShardOwner" -> "routing";
            default -> "other";
        };
    }

    static String of(Wire.Packet packet) {
        String method = method(packet);
        return switch (packet.content()) {
            case RenewRequest ask -> "renew " + ask.getSequence() + ", runs " + claims(ask.getClaimsList());
            case RenewResponse answer ->
                answer.hasAssignment()
                        ? "renewed: " + assignment(answer.getAssignment())
                        : "renewed: as at revision " + answer.getConfirmed().getRevision();
            case RegisterResponse answer -> "registered: " + assignment(answer.getAssignment());
            case AssignmentDelivery push ->
                push.hasAssignment()
                        ? "told: " + assignment(push.getAssignment())
                        : "beat at revision " + push.getBeat().getRevision();
            case ReleaseRequest release -> "releases " + shards(release.getShardsList());
            case RoutingEvent event ->
                event.hasDelta()
                        ? "routes of " + event.getDelta().getShardsCount() + " shards at revision "
                                + event.getRevision()
                        : event.getKindCase().name().toLowerCase(Locale.ROOT) + " at revision " + event.getRevision();
            case Status status ->
                method + (status.isOk() ? " done" : " refused: " + status.getCode() + " " + status.getDescription());
            default -> packet.answer() ? method + " answered" : method.toLowerCase(Locale.ROOT);
        };
    }

    private static String assignment(Assignment set) {
        return shards(set.getShardsList()) + " at revision " + set.getRevision();
    }

    private static String shards(List<ShardEpoch> shards) {
        return listed(shards.stream()
                .map(shard -> shard.getShardKey() + "@" + shard.getEpoch())
                .toList());
    }

    private static String claims(List<ShardClaim> shards) {
        return listed(shards.stream()
                .map(shard -> shard.getShardKey() + "@" + shard.getEpoch())
                .toList());
    }

    private static String listed(List<String> shards) {
        String first = shards.stream().limit(LISTED).collect(Collectors.joining(" "));
        return shards.isEmpty()
                ? "nothing"
                : shards.size() > LISTED ? first + " and " + (shards.size() - LISTED) + " more" : first;
    }
}
