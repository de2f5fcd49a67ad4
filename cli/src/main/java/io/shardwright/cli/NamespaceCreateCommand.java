package io.shardwright.cli;

import com.google.gson.JsonObject;
import io.shardwright.cli.output.JsonFields;
import io.shardwright.proto.v1.CreateNamespaceRequest;
import io.shardwright.proto.v1.CreateNamespaceResponse;
import io.shardwright.proto.v1.Namespace;
import io.shardwright.proto.v1.NamespaceKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code shardctl namespace create}. */
@Command(
        name = "create",
        customSynopsis = "shardctl namespace create [OPTIONS] NAME (--shards=COUNT | --ephemeral)",
        description = {
            "Creates a namespace: fixed with shards 0 to COUNT-1, or ephemeral with shards that exist from the first request for their key on.",
            "Repeating the command with equal settings succeeds; other settings are refused."
        },
        footer = {
            "Examples:",
            "  shardctl namespace create orders --shards 64",
            "  shardctl ns create sessions --ephemeral --lease 5s",
            "",
            "JSON: {\"created\": true or false, \"namespace\": {name, kind, shardCount, leaseMillis, balancer}}",
            "created is false where the namespace existed already with equal settings."
        })
final class NamespaceCreateCommand implements Callable<Integer> {
    private final Session session;

    @Parameters(
            paramLabel = "NAME",
            description = "Name: 1 to 63 characters of a-z, 0-9 and '-', beginning and ending with a letter or digit.")
    private String name = "";

    @ArgGroup(multiplicity = "1")
    private Kind kind = new Kind();

    @Option(
            names = "--lease",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "Length of the lease of its executors, 1s to 1h. Default: the server's, 15s.")
    private @Nullable Duration lease;

    @Option(
            names = "--balancer",
            paramLabel = "NAME",
            defaultValue = "",
            description = "Name of the balancer that spreads its shards. Default: the server's.")
    private String balancer = "";

    /** Exactly one of the two. */
    private static final class Kind {
        @Option(
                names = "--shards",
                paramLabel = "COUNT",
                description = "Make it fixed, with that many shards, 1 to 1048576. They stay that many.")
        private @Nullable Integer shards;

        @Option(names = "--ephemeral", description = "Make it ephemeral.")
        @SuppressWarnings("UnusedVariable") // the group sees to it that exactly one is given: no shards means this
        private boolean ephemeral;
    }

    NamespaceCreateCommand(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        CreateNamespaceRequest request =
                CreateNamespaceRequest.newBuilder().setNamespace(asked()).build();
        CreateNamespaceResponse answer = session.server().admin(stub -> stub.createNamespace(request));
        session.show(() -> table(answer), () -> json(answer));
        return ExitCodes.OK;
    }

    private Namespace asked() {
        Namespace.Builder asked = Namespace.newBuilder().setName(name).setBalancer(balancer);
        if (lease != null) {
            asked.setLeaseMillis(lease.toMillis());
        }
        Integer shards = kind.shards;
        if (shards == null) {
            return asked.setKind(NamespaceKind.NAMESPACE_KIND_EPHEMERAL).build();
        }
        if (shards < 1) {
            throw new UsageException("--shards " + shards + " is out of range; give a number from 1 to 1048576");
        }
        return asked.setKind(NamespaceKind.NAMESPACE_KIND_FIXED)
                .setShardCount(shards)
                .build();
    }

    private static List<String> table(CreateNamespaceResponse answer) {
        List<String> lines = new ArrayList<>();
        lines.add(answer.getCreated() ? "Created." : "Exists already with these settings.");
        lines.addAll(NamespaceDescribeCommand.settings(answer.getNamespace()).lines());
        return lines;
    }

    private static JsonObject json(CreateNamespaceResponse answer) {
        JsonObject json = new JsonObject();
        json.addProperty("created", answer.getCreated());
        json.add("namespace", JsonFields.namespace(answer.getNamespace()));
        return json;
    }
}
