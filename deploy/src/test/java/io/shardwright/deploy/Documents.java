package io.shardwright.deploy;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.shardwright.testkit.Checkout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Reads the YAML of this directory, and what the configuration reference says. */
final class Documents {

    static final Path ROOT = Checkout.root();

    private static final Pattern VARIABLE = Pattern.compile("^#? ?(SHARDWRIGHT__[A-Z0-9_]+)=", Pattern.MULTILINE);

    private Documents() {}

    /** Returns the documents of a file; a key that stands twice is an error. */
    static List<JsonObject> in(Path file) {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        List<JsonObject> documents = new ArrayList<>();
        for (Object document : new Yaml(new SafeConstructor(options)).loadAll(read(file))) {
            documents.add(new Gson().toJsonTree(document).getAsJsonObject());
        }
        return documents;
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns which of these variables do not stand in the configuration reference. */
    static TreeSet<String> unknown(Collection<String> variables) {
        TreeSet<String> unknown = new TreeSet<>(variables);
        unknown.removeAll(variables());
        return unknown;
    }

    /** Returns every variable that the configuration reference knows. */
    static TreeSet<String> variables() {
        TreeSet<String> names = new TreeSet<>();
        Matcher matcher = VARIABLE.matcher(read(ROOT.resolve("docs/shardwright.sample.env")));
        while (matcher.find()) {
            names.add(matcher.group(1));
        }
        return names;
    }

    /** Returns what is at a path such as {@code spec.template.spec.containers.0.env}. */
    static JsonElement at(JsonElement document, String path) {
        JsonElement at = document;
        for (String step : path.split("\\.", -1)) {
            at = at.isJsonArray()
                    ? at.getAsJsonArray().get(Integer.parseInt(step))
                    : at.getAsJsonObject().get(step);
            if (at == null) {
                throw new AssertionError("no " + path + " in " + document);
            }
        }
        return at;
    }

    static String text(JsonElement document, String path) {
        return at(document, path).getAsString();
    }

    /** Lays a patch over an object as Kubernetes does: lists of things with a name are merged by that name. */
    static JsonObject patched(JsonObject base, JsonObject patch) {
        JsonObject result = base.deepCopy();
        for (Map.Entry<String, JsonElement> entry : patch.entrySet()) {
            JsonElement before = result.get(entry.getKey());
            JsonElement after = entry.getValue();
            if (before instanceof JsonObject one && after instanceof JsonObject other) {
                result.add(entry.getKey(), patched(one, other));
            } else if (before instanceof JsonArray one && after instanceof JsonArray other) {
                result.add(entry.getKey(), merged(one, other));
            } else {
                result.add(entry.getKey(), after.deepCopy());
            }
        }
        return result;
    }

    private static JsonArray merged(JsonArray base, JsonArray patch) {
        JsonArray result = base.deepCopy();
        for (JsonElement item : patch) {
            String name = text(item, "name");
            int place = 0;
            while (place < result.size() && !text(result.get(place), "name").equals(name)) {
                place++;
            }
            if (place == result.size()) {
                result.add(item.deepCopy());
            } else {
                result.set(place, patched(result.get(place).getAsJsonObject(), item.getAsJsonObject()));
            }
        }
        return result;
    }
}
