package io.shardwright.server.config;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Writes the reference page and the sample files from {@link ConfigKeys}. A test keeps the files in {@code docs/} equal
 * to it.
 */
final class ConfigReference {
    private ConfigReference() {}

    /** {@code docs/configuration.md}. */
    static String page() {
        StringBuilder out = new StringBuilder(INTRODUCTION);
        String group = "";
        for (Setting<?> setting : ConfigKeys.ALL) {
            String top = topLevel(setting);
            if (!top.equals(group)) {
                group = top;
                out.append("\n## ").append(title(top)).append("\n\n").append(TABLE_HEAD);
            }
            out.append(row("`" + setting.key() + "`", setting));
        }
        out.append("\nEach item of the list has these keys:\n\n").append(TABLE_HEAD);
        ConfigKeys.NAMESPACE_ITEM.forEach(
                setting -> out.append(row("`namespaces[].`**`" + setting.key() + "`**", setting)));
        return out.append(CLOSING).toString();
    }

    /** {@code docs/shardwright.sample.yaml}: every key, commented out, with its default or an example. */
    static String sampleYaml() {
        StringBuilder out = new StringBuilder(
                "# Every key of shardwright.yaml with its default, or with an example where there is no default.\n# Remove the '# ' in front of a key and of the group above it to set it. Generated: see docs/configuration.md.\n");
        List<String> open = List.of();
        for (Setting<?> setting : ConfigKeys.ALL) {
            List<String> path = List.of(setting.key().split("\\."));
            List<String> groups = path.subList(0, path.size() - 1);
            int common = common(open, groups);
            for (int depth = common; depth < groups.size(); depth++) {
                out.append(depth == 0 ? "\n" : "")
                        .append("# ")
                        .append("  ".repeat(depth))
                        .append(groups.get(depth))
                        .append(":\n");
            }
            open = groups;
            String indent = "  ".repeat(groups.size());
            out.append(groups.isEmpty() ? "\n" : "");
            out.append("# ")
                    .append(indent)
                    .append("## ")
                    .append(summary(setting))
                    .append('\n');
            if (setting.equals(ConfigKeys.NAMESPACES)) {
                out.append(
                        "# namespaces:\n# - name: demo\n#   kind: fixed\n#   shard-count: 64\n#   lease: 15s\n#   balancer: naive\n# - name: sessions\n#   kind: ephemeral\n");
            } else {
                out.append("# ")
                        .append(indent)
                        .append(path.getLast())
                        .append(": ")
                        .append(yamlValue(setting))
                        .append('\n');
            }
        }
        return out.toString();
    }

    /** {@code docs/shardwright.sample.env} (R19). */
    static String sampleEnvironment() {
        return ConfigKeys.ALL.stream()
                .map(setting ->
                        "# " + summary(setting) + "\n# " + setting.environmentName() + "=" + setting.example() + "\n")
                .collect(Collectors.joining(
                        "\n",
                        "# Every variable with its default, or with an example where there is no default.\n# Values are taken as they stand: no quotes. Generated: see docs/configuration.md.\n\n",
                        ""));
    }

    private static String row(String name, Setting<?> setting) {
        String fallback = setting.defaultText().map(text -> "`" + text + "`").orElse("none");
        String secret = setting.secret() ? " Secret: never shown." : "";
        return "| " + name + " | " + cell(setting.type().rule()) + " | " + fallback + " | "
                + cell(setting.description()) + secret + " | " + setting.since() + " |\n";
    }

    private static String summary(Setting<?> setting) {
        return setting.description() + " Must be " + setting.type().rule() + ".";
    }

    /** Quoted where YAML would read something else. */
    private static String yamlValue(Setting<?> setting) {
        return setting.example().contains(": ") || setting.example().startsWith("[")
                ? '"' + setting.example() + '"'
                : setting.example();
    }

    private static String cell(String text) {
        return text.replace("|", "\\|");
    }

    private static int common(List<String> open, List<String> groups) {
        int common = 0;
        while (common < Math.min(open.size(), groups.size()) && open.get(common).equals(groups.get(common))) {
            common++;
        }
        return common;
    }

    private static String topLevel(Setting<?> setting) {
        return setting.key().split("\\.", 2)[0];
    }

    private static String title(String group) {
        return switch (group) {
            case "grpc" -> "gRPC";
            case "http" -> "HTTP";
            default -> group.substring(0, 1).toUpperCase(Locale.ROOT) + group.substring(1);
        };
    }

    private static final String TABLE_HEAD =
            "| key | must be | default | meaning | since |\n| --- | --- | --- | --- | --- |\n";

    private static final String INTRODUCTION = """
      # Configuration

      <!-- Generated from ConfigKeys. To change it: change the declaration, then run
           ./mvnw -pl modules/server -am -Dtest=ConfigReferenceTest -Dsurefire.failIfNoSpecifiedTests=false -Dshardwright.docs.write=true test -->

      A server reads its configuration once, at its start, from these sources. An earlier one wins:

      1. Flags: `--set key=value`, and the short ones `--store`, `--grpc-port`, `--http-port`, `--namespace`.
      2. Environment: `SHARDWRIGHT__A__B`, that is the key in upper case with `__` between levels and `_` for a hyphen
         (`http.bind-address` is `SHARDWRIGHT__HTTP__BIND_ADDRESS`). One with single underscores is refused.
      3. `shardwright.yaml`: the file of `--config`, else of `SHARDWRIGHT_CONFIG`, else `./shardwright.yaml` if it exists.
      4. The default.

      Values are text until the key says what they are: `0123` or `no` as a password stays `0123` and `no`, and blanks and
      quotes in an environment variable belong to the value. A list is a YAML list, a JSON list or separated by commas; the
      list of a higher source replaces the whole list of a lower one.

      All faults are reported at once, each with key, value, rule and remedy, and the process exits with 2 before it opens a
      port. Unknown keys are refused. `./shardwright config check` does only that; `./shardwright config show` prints every
      value with its source. Samples: [shardwright.sample.yaml](shardwright.sample.yaml) and
      [shardwright.sample.env](shardwright.sample.env).
      """;

    private static final String CLOSING = """

      ## Rules between keys

      * `grpc.tls.cert-file` and `grpc.tls.key-file` are set together; `client-ca-file` needs them, `require-client-cert` needs `client-ca-file`.
      * `grpc.port` and `http.port` differ, unless both are 0.
      * Keys of `persistence.postgres` or `persistence.etcd` need `persistence.type` to be set: nothing is ever stored in the default store by oversight.
      * A user needs a password or a password file, never both; a password needs a user.
      * `persistence.etcd.endpoints` are all `https` when `persistence.etcd.tls.ca-cert-file` is set, else all `http`. An etcd user needs `https`.
      * `persistence.etcd.tls.client-cert-file` and `client-key-file` are set together.
      * `persistence.etcd.leader-lease-ttl` is a whole number of seconds, and `request-timeout` is at most half of it.
      * `persistence.etcd.request-timeout` is at most 5s, half of what executors wait for an answer; with `retry-max-delay` it is at most 15s, the default lease.
      * `persistence.etcd.retry-min-delay` is not above `retry-max-delay`.
      * Names of namespaces are unique, and an ephemeral namespace has no `shard-count`.
      * Files that the configuration names can be read; the directory of the SQLite file exists and can be written.
      """;
}
