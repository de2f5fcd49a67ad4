package io.shardwright.cli;

import com.google.gson.JsonObject;
import io.shardwright.cli.call.Server;
import io.shardwright.cli.output.JsonText;
import java.util.List;
import java.util.function.Supplier;

/**
 * One run of the program, as its commands see it.
 *
 * @param shell what it was started from
 * @param options what was asked of every command
 */
record Session(Shell shell, GlobalOptions options) {
    /** The server to call. */
    Server server() {
        return options.server();
    }

    /** The namespace to work in; it is an error of the user to have named none. */
    String namespace() {
        return options.namespace()
                .orElseThrow(() ->
                        new UsageException("no namespace is named; add --namespace NAME or set SHARDCTL_NAMESPACE"));
    }

    /** Prints a result the way the user wants it. */
    void show(Supplier<List<String>> table, Supplier<JsonObject> json) {
        switch (options.output()) {
            case TABLE -> table.get().forEach(shell.out()::println);
            case JSON -> shell.out().println(JsonText.indented(json.get()));
        }
        shell.out().flush();
    }
}
