package io.shardwright.deploy;

import static io.shardwright.deploy.Documents.at;
import static io.shardwright.deploy.Documents.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.shardwright.testkit.DebianTool;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** There is no engine here: compose.yaml is held against the schema of Compose files, and against the reference. */
final class ComposeTest {

    private static final Schema SCHEMA = schema();

    private final JsonObject compose =
            Documents.in(Documents.ROOT.resolve("compose.yaml")).getFirst();

    private static Schema schema() {
        JsonObject schema = Documents.in(DebianTool.COMPOSE_SCHEMA.find()).getFirst();
        removeIds(schema);
        return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2019_09)
                .getSchema(schema.toString(), InputFormat.JSON);
    }

    /** They are keywords of an older draft than the one that the schema names, and the validator does not take them. */
    private static void removeIds(JsonElement schema) {
        if (schema instanceof JsonObject object) {
            if (object.get("id") instanceof JsonPrimitive) {
                object.remove("id");
            }
            object.asMap().values().forEach(ComposeTest::removeIds);
        } else if (schema instanceof JsonArray array) {
            array.forEach(ComposeTest::removeIds);
        }
    }

    private static List<Error> errors(JsonObject document) {
        return SCHEMA.validate(document.toString(), InputFormat.JSON);
    }

    private Stream<String> services(String prefix) {
        return at(compose, "services").getAsJsonObject().keySet().stream().filter(name -> name.startsWith(prefix));
    }

    @Test
    void itIsWhatTheSchemaOfComposeFilesAllows() {
        assertEquals(List.of(), errors(compose));

        JsonObject misspelt = compose.deepCopy();
        at(misspelt, "services.shardwright-0").getAsJsonObject().add("enviroment", new JsonPrimitive(1));
        assertFalse(errors(misspelt).isEmpty());
    }

    @Test
    void everyVariableStandsInTheConfigurationReference() {
        services("shardwright-")
                .forEach(service -> assertEquals(
                        new TreeSet<>(),
                        Documents.unknown(at(compose, "services." + service + ".environment")
                                .getAsJsonObject()
                                .keySet()),
                        service));
    }

    @Tag("R159")
    @Test
    void threeServersShareAnAliasAndEachAdvertisesItsOwnName() {
        List<String> servers = services("shardwright-").sorted().toList();

        assertEquals(List.of("shardwright-0", "shardwright-1", "shardwright-2"), servers);
        for (String server : servers) {
            String path = "services." + server + ".";
            assertEquals(
                    "[\"shardwright\"]",
                    at(compose, path + "networks.cluster.aliases").toString());
            assertEquals(server, text(compose, path + "environment.SHARDWRIGHT__GRPC__ADVERTISED_HOST"));
            assertEquals("9002", text(compose, path + "environment.SHARDWRIGHT__GRPC__PORT"));
            assertEquals("8081", text(compose, path + "environment.SHARDWRIGHT__HTTP__PORT"));
        }
        assertEquals(
                "[\"9002:9002\",\"8081:8081\"]",
                at(compose, "services.shardwright-0.ports").toString());
    }

    @Test
    void serversAreGivenEveryMemberOfEtcdAndExecutorsTheAlias() {
        List<String> members = services("etcd-")
                .sorted()
                .map(name -> "http://" + name + ":2379")
                .toList();
        services("shardwright-")
                .forEach(service -> assertEquals(
                        String.join(",", members),
                        text(
                                compose,
                                "services." + service + ".environment.SHARDWRIGHT__PERSISTENCE__ETCD__ENDPOINTS")));
        assertEquals(3, services("executor-").count());
        services("executor-").forEach(service -> {
            String command = at(compose, "services." + service + ".command").toString();
            assertTrue(command.contains("\"--target=shardwright:9002\""), command);
            assertTrue(command.contains("\"--id=" + service + "\""), command);
        });
    }
}
