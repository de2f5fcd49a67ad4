package io.shardwright.cli;

import com.google.gson.JsonObject;
import io.shardwright.cli.call.CallFailedException;
import io.shardwright.cli.output.Cell;
import io.shardwright.proto.v1.DeleteNamespaceRequest;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code shardctl namespace delete}. */
@Command(
        name = "delete",
        description = {
            "Deletes a namespace with all its state. Asks to type its name again first.",
            "A namespace with registered executors is refused: stop them before."
        },
        footer = {
            "Examples:",
            "  shardctl namespace delete orders",
            "  shardctl ns delete orders --yes --output json",
            "",
            "JSON: {\"deleted\": name}"
        })
final class NamespaceDeleteCommand implements Callable<Integer> {
    private final Session session;

    @Parameters(paramLabel = "NAME", description = "Name of the namespace. --namespace does not stand in for it.")
    private String name = "";

    @Option(
            names = {"-y", "--yes"},
            description = "Do not ask, delete. Default: ask.")
    private boolean yes;

    NamespaceDeleteCommand(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() throws IOException {
        if (!yes) {
            confirm();
        }
        DeleteNamespaceRequest request =
                DeleteNamespaceRequest.newBuilder().setNamespace(name).build();
        session.server().admin(stub -> stub.deleteNamespace(request));
        session.show(() -> List.of("Deleted " + Cell.text(name) + "."), this::json);
        return ExitCodes.OK;
    }

    private void confirm() throws IOException {
        String answer = session.shell()
                .ask(
                        "This deletes namespace " + Cell.text(name)
                                + " with all its shards and epochs. Type its name to go on: ",
                        "nothing was deleted: nobody answered; add --yes to delete without a question");
        if (!answer.equals(name)) {
            throw CallFailedException.local(
                    "CANCELLED", "nothing was deleted: '" + answer + "' is not the name '" + name + "'");
        }
    }

    private JsonObject json() {
        JsonObject json = new JsonObject();
        json.addProperty("deleted", name);
        return json;
    }
}
