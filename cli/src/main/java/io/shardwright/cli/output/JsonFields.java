package io.shardwright.cli.output;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.shardwright.proto.v1.ExecutorDetails;
import io.shardwright.proto.v1.ExecutorInfo;
import io.shardwright.proto.v1.Namespace;
import io.shardwright.proto.v1.ShardDetails;
import io.shardwright.proto.v1.ShardRoute;
import java.math.BigInteger;
import java.util.function.Function;

/**
 * The JSON of the things that commands show. Field names are a promise: they are added, never renamed or removed. Every
 * field is always present; "nothing" is {@code null}. Numbers are JSON numbers, 64-bit ones included, which is why this
 * is not protobuf's own mapping. The shapes are written down in the help of each command.
 */
public final class JsonFields {
    private JsonFields() {}

    /** {@code {name, kind, shardCount, leaseMillis, balancer}}. */
    public static JsonObject namespace(Namespace namespace) {
        JsonObject json = new JsonObject();
        json.addProperty("name", namespace.getName());
        json.addProperty("kind", Names.of(namespace.getKind()));
        json.add("shardCount", number(namespace.getShardCount()));
        json.add("leaseMillis", number(namespace.getLeaseMillis()));
        json.add("balancer", text(namespace.getBalancer()));
        return json;
    }

    /** {@code {executorId, address, host, labels}}. */
    public static JsonObject executor(ExecutorInfo info) {
        JsonObject json = new JsonObject();
        json.addProperty("executorId", info.getExecutorId());
        json.add("address", text(info.getAddress()));
        json.add("host", text(info.getHost()));
        JsonObject labels = new JsonObject();
        info.getLabelsList().forEach(label -> labels.addProperty(label.getKey(), label.getValue()));
        json.add("labels", labels);
        return json;
    }

    /**
     * {@link #executor} and {@code {processId, status, leaseRemainingMillis, lastRenewalAgeMillis, assignedCount,
     * releasingCount, load, drain}}.
     */
    public static JsonObject executorDetails(ExecutorDetails details) {
        JsonObject json = executor(details.getInfo());
        json.addProperty("processId", details.getProcessId());
        json.addProperty("status", Names.of(details.getStatus()));
        json.add("leaseRemainingMillis", number(details.getLeaseRemainingMillis()));
        json.add("lastRenewalAgeMillis", number(details.getLastRenewalAgeMillis()));
        json.add("assignedCount", number(details.getAssignedCount()));
        json.add("releasingCount", number(details.getReleasingCount()));
        json.add("load", load(details.getLoad()));
        json.add("drain", DrainOutput.orNull(details.hasDrain(), details.getDrain()));
        return json;
    }

    /** {@code {shardKey, state, owner, nextOwner, epoch, load, activity, reason, drain}}. */
    public static JsonObject shardDetails(ShardDetails shard) {
        JsonObject json = new JsonObject();
        json.addProperty("shardKey", shard.getShardKey());
        json.addProperty("state", Names.of(shard.getState()));
        json.add("owner", text(shard.getOwner()));
        json.add("nextOwner", text(shard.getNextOwner()));
        json.add("epoch", number(shard.getEpoch()));
        json.add("load", shard.hasLoad() ? load(shard.getLoad()) : JsonNull.INSTANCE);
        json.add("activity", text(Names.of(shard.getActivity())));
        json.add("reason", text(shard.getReason()));
        json.add("drain", DrainOutput.orNull(shard.hasDrain(), shard.getDrain()));
        return json;
    }

    /** {@code {shardKey, owner, epoch}}. */
    public static JsonObject route(ShardRoute route) {
        JsonObject json = new JsonObject();
        json.addProperty("shardKey", route.getShardKey());
        json.add("owner", text(route.getOwner()));
        json.add("epoch", number(route.getEpoch()));
        return json;
    }

    /** An array of what {@code field} makes of each. */
    public static <T> JsonArray array(Iterable<T> things, Function<T, JsonObject> field) {
        JsonArray array = new JsonArray();
        things.forEach(thing -> array.add(field.apply(thing)));
        return array;
    }

    /** The text, or {@code null} for an empty one. */
    public static JsonElement text(String text) {
        return text.isEmpty() ? JsonNull.INSTANCE : new JsonPrimitive(text);
    }

    /** An unsigned 64-bit number. */
    public static JsonElement number(long unsigned) {
        return unsigned >= 0
                ? new JsonPrimitive(unsigned)
                : new JsonPrimitive(new BigInteger(Long.toUnsignedString(unsigned)));
    }

    /** An unsigned 32-bit number. */
    public static JsonElement number(int unsigned) {
        return new JsonPrimitive(Integer.toUnsignedLong(unsigned));
    }

    private static JsonElement load(double load) {
        return Double.isFinite(load) ? new JsonPrimitive(load) : JsonNull.INSTANCE; // JSON has no word for the others
    }
}
