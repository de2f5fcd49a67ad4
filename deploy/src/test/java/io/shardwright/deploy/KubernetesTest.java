package io.shardwright.deploy;

import static io.shardwright.deploy.Documents.at;
import static io.shardwright.deploy.Documents.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1StatefulSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * There is no cluster here: the manifests are held against the fields that Kubernetes knows, and against each other.
 */
final class KubernetesTest {

    private static final Path DIRECTORY = Documents.ROOT.resolve("deploy/kubernetes");
    private static final String CONTAINER = "spec.template.spec.containers.0";

    /** Fails on a field that the kind does not have, and without one that it needs. */
    private interface Check {
        void of(JsonElement document) throws IOException;
    }

    private static final Map<String, Check> KINDS = Map.of(
            "apps/v1 Deployment", V1Deployment::validateJsonElement,
            "apps/v1 StatefulSet", V1StatefulSet::validateJsonElement,
            "v1 Service", V1Service::validateJsonElement,
            "policy/v1 PodDisruptionBudget", V1PodDisruptionBudget::validateJsonElement);

    private static void check(JsonObject document) throws IOException {
        String kind = text(document, "apiVersion") + " " + text(document, "kind");
        Check check = KINDS.get(kind);
        if (check == null) {
            throw new AssertionError("nothing checks a " + kind);
        }
        check.of(document);
    }

    /** Returns what an overlay applies, in the order of its files. */
    private static List<JsonObject> overlay(String name) {
        Path directory = DIRECTORY.resolve(name);
        JsonObject kustomization =
                Documents.in(directory.resolve("kustomization.yaml")).getFirst();
        assertTrue(
                List.of("apiVersion", "kind", "resources", "patches").containsAll(kustomization.keySet()),
                kustomization.toString());
        List<JsonObject> all = new ArrayList<>();
        for (JsonElement resource : at(kustomization, "resources").getAsJsonArray()) {
            Path path = directory.resolve(resource.getAsString()).normalize();
            all.addAll(Files.isDirectory(path) ? overlay(path.getFileName().toString()) : Documents.in(path));
        }
        if (kustomization.has("patches")) {
            for (JsonElement patch : at(kustomization, "patches").getAsJsonArray()) {
                Documents.in(directory.resolve(text(patch, "path"))).forEach(each -> patch(all, each));
            }
        }
        return all;
    }

    private static void patch(List<JsonObject> all, JsonObject patch) {
        int patched = 0;
        for (int i = 0; i < all.size(); i++) {
            if (text(all.get(i), "kind").equals(text(patch, "kind"))
                    && text(all.get(i), "metadata.name").equals(text(patch, "metadata.name"))) {
                all.set(i, Documents.patched(all.get(i), patch));
                patched++;
            }
        }
        assertEquals(1, patched, "what is patched by " + patch);
    }

    private static JsonObject only(String overlay, String kind) {
        List<JsonObject> found = overlay(overlay).stream()
                .filter(document -> text(document, "kind").equals(kind))
                .toList();
        assertEquals(1, found.size(), kind + " in " + overlay);
        return found.getFirst();
    }

    private static TreeMap<String, JsonElement> environment(JsonObject workload) {
        TreeMap<String, JsonElement> environment = new TreeMap<>();
        at(workload, CONTAINER + ".env")
                .getAsJsonArray()
                .forEach(variable -> environment.put(text(variable, "name"), variable));
        return environment;
    }

    private static String value(JsonObject workload, String variable) {
        return text(environment(workload).get(variable), "value");
    }

    private static List<String> overlays() throws IOException {
        try (Stream<Path> all = Files.list(DIRECTORY)) {
            return all.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void whatIsAppliedHasOnlyFieldsThatKubernetesKnowsAndAllThatItNeeds() throws IOException {
        assertEquals(List.of("base", "etcd-tls", "example"), overlays());
        for (String overlay : overlays()) {
            for (JsonObject document : overlay(overlay)) {
                check(document);
            }
        }
    }

    @Test
    void aMisspeltFieldIsNoticed() {
        JsonObject deployment = only("base", "Deployment").deepCopy();
        at(deployment, CONTAINER + ".readinessProbe").getAsJsonObject().add("periodSecond", new JsonPrimitive(2));
        assertThrows(IllegalArgumentException.class, () -> check(deployment));

        JsonObject service = only("base", "Service").deepCopy();
        at(service, "spec.ports.0").getAsJsonObject().remove("port");
        assertThrows(IllegalArgumentException.class, () -> check(service));
    }

    @Test
    void everyVariableStandsInTheConfigurationReferenceAndEveryPortIsTheOneThatIsSet() throws IOException {
        TreeSet<String> known = Documents.variables();
        assertTrue(known.contains("SHARDWRIGHT__GRPC__PORT"), known.toString());
        for (String overlay : overlays()) {
            JsonObject deployment = only(overlay, "Deployment");
            assertEquals(
                    new TreeSet<>(), Documents.unknown(environment(deployment).keySet()), overlay);
            assertEquals("grpc", text(deployment, CONTAINER + ".ports.0.name"));
            assertEquals(
                    value(deployment, "SHARDWRIGHT__GRPC__PORT"),
                    text(deployment, CONTAINER + ".ports.0.containerPort"));
            assertEquals("http", text(deployment, CONTAINER + ".ports.1.name"));
            assertEquals(
                    value(deployment, "SHARDWRIGHT__HTTP__PORT"),
                    text(deployment, CONTAINER + ".ports.1.containerPort"));
        }
    }

    @Tag("R155")
    @Test
    void threeServersAdvertiseTheirOwnPodBehindOneServiceAndARollNeverTakesOneAwayFirst() {
        JsonObject deployment = only("base", "Deployment");

        assertEquals("3", text(deployment, "spec.replicas"));
        assertEquals("1", text(deployment, "spec.strategy.rollingUpdate.maxSurge"));
        assertEquals("0", text(deployment, "spec.strategy.rollingUpdate.maxUnavailable"));
        assertEquals(
                "status.podIP",
                text(
                        environment(deployment).get("SHARDWRIGHT__GRPC__ADVERTISED_HOST"),
                        "valueFrom.fieldRef.fieldPath"));
        assertEquals("9092", value(deployment, "SHARDWRIGHT__GRPC__PORT"));
        assertEquals("8081", value(deployment, "SHARDWRIGHT__HTTP__PORT"));
        assertEquals("etcd", value(deployment, "SHARDWRIGHT__PERSISTENCE__TYPE"));
        assertTrue(environment(deployment).containsKey("SHARDWRIGHT__PERSISTENCE__ETCD__ENDPOINTS"));
        JsonObject service = only("base", "Service");
        assertEquals("9092", text(service, "spec.ports.0.port"));
        assertEquals(at(deployment, "spec.template.metadata.labels"), at(service, "spec.selector"));
        assertEquals(at(deployment, "spec.template.metadata.labels"), at(deployment, "spec.selector.matchLabels"));
        JsonObject budget = only("base", "PodDisruptionBudget");
        assertEquals("1", text(budget, "spec.maxUnavailable"));
        assertEquals(at(deployment, "spec.selector"), at(budget, "spec.selector"));
    }

    @Tag("R156")
    @Test
    void aRollWaitsUntilAServerThatWasJustElectedHasLoadedItsState() {
        assertEquals("20", text(only("base", "Deployment"), "spec.minReadySeconds"));
    }

    @Tag("R157")
    @Test
    void theBudgetLetsNodesBeDrainedWhileAnOutageOfEtcdMakesAllServersUnready() {
        assertEquals("AlwaysAllow", text(only("base", "PodDisruptionBudget"), "spec.unhealthyPodEvictionPolicy"));
    }

    /** Helm's --wait, Flux and Argo CD wait for readiness, which a standby has too: see ReplicasProcessTest. */
    @Tag("R146")
    @Test
    void onlyReadinessAsksForTheStoreSoThatToolsWaitForItAndAnOutageRestartsNobody() {
        JsonObject deployment = only("base", "Deployment");

        assertEquals("RollingUpdate", text(deployment, "spec.strategy.type"));
        assertEquals("/readyz", text(deployment, CONTAINER + ".readinessProbe.httpGet.path"));
        assertEquals("/healthcheck", text(deployment, CONTAINER + ".livenessProbe.httpGet.path"));
        assertEquals("/healthcheck", text(deployment, CONTAINER + ".startupProbe.httpGet.path"));
        // Longer than grpc.grace, which is 10 s by default.
        assertTrue(at(deployment, "spec.template.spec.terminationGracePeriodSeconds")
                        .getAsInt()
                >= 20);
    }

    @Tag("R158")
    @Test
    void clientsAreGivenHostAndPortBecauseTheirDefaultIsNotThatOfTheService() {
        String service = text(only("base", "Service"), "metadata.name") + ":"
                + text(only("base", "Service"), "spec.ports.0.port");
        List<JsonObject> executors = overlay("example").stream()
                .filter(document -> text(document, "metadata.name").equals("executor")
                        && text(document, "kind").equals("StatefulSet"))
                .toList();

        assertEquals(1, executors.size());
        String arguments = at(executors.getFirst(), CONTAINER + ".args").toString();
        assertTrue(arguments.contains("\"--target=" + service + "\""), arguments);
    }

    @Test
    void aMountedSecretIsADirectorySoThatItIsRenewed() {
        JsonObject deployment = only("etcd-tls", "Deployment");
        at(deployment, CONTAINER + ".volumeMounts")
                .getAsJsonArray()
                .forEach(mount -> assertFalse(mount.getAsJsonObject().has("subPath"), mount.toString()));
        String directory = text(deployment, CONTAINER + ".volumeMounts.1.mountPath");
        for (String file : List.of("CA_CERT", "CLIENT_CERT", "CLIENT_KEY")) {
            String variable = "SHARDWRIGHT__PERSISTENCE__ETCD__TLS__" + file + "_FILE";
            assertTrue(value(deployment, variable).startsWith(directory + "/"), variable);
        }
        assertTrue(
                value(deployment, "SHARDWRIGHT__PERSISTENCE__ETCD__ENDPOINTS").startsWith("https://"));
    }
}
