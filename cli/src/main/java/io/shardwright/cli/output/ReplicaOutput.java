package io.shardwright.cli.output;

import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import io.shardwright.cli.call.Address;
import io.shardwright.proto.v1.ListReplicasResponse;
import io.shardwright.proto.v1.Replica;
import java.util.List;
import java.util.stream.Stream;

/** Shows servers. */
public final class ReplicaOutput {

    /** A store that answers is heard of more often than this; what is older is worth a word. */
    private static final long FRESH_MILLIS = 10_000;

    private ReplicaOutput() {}

    /** Returns a table of who leads and who waits. */
    public static List<String> table(ListReplicasResponse answer) {
        Table table = new Table().left("ADDRESS", "ROLE", "VERSION", "IDENTITY");
        for (Replica replica : answer.getReplicasList()) {
            table.row(
                    Cell.text(address(replica)),
                    Names.of(replica.getRole()),
                    Cell.text(replica.getVersion()),
                    Cell.text(replica.getIdentity()));
        }
        if (answer.getHeardMillisAgo() > FRESH_MILLIS) {
            return Stream.concat(
                            table.lines().stream(),
                            Stream.of("The server that tells this last heard of its store "
                                    + Cell.duration(answer.getHeardMillisAgo()) + " ago."))
                    .toList();
        }
        return table.lines();
    }

    /** Returns the same as JSON. */
    public static JsonObject json(ListReplicasResponse answer) {
        JsonObject json = new JsonObject();
        json.add(
                "heardMillisAgo",
                answer.hasHeardMillisAgo() ? JsonFields.number(answer.getHeardMillisAgo()) : JsonNull.INSTANCE);
        json.add("replicas", JsonFields.array(answer.getReplicasList(), ReplicaOutput::json));
        return json;
    }

    /** Returns one server as JSON. */
    public static JsonObject json(Replica replica) {
        JsonObject json = new JsonObject();
        json.add("address", JsonFields.text(address(replica)));
        json.addProperty("role", Names.of(replica.getRole()));
        json.add("version", JsonFields.text(replica.getVersion()));
        json.add("identity", JsonFields.text(replica.getIdentity()));
        return json;
    }

    /** Returns where a server is reached; empty where it does not say. */
    public static String address(Replica replica) {
        return replica.getHost().isEmpty() ? "" : new Address(replica.getHost(), replica.getPort()).toString();
    }
}
