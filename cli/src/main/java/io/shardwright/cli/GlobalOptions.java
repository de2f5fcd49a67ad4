package io.shardwright.cli;

import io.shardwright.cli.call.Address;
import io.shardwright.cli.call.Security;
import io.shardwright.cli.call.Server;
import io.shardwright.cli.output.OutputFormat;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/**
 * The options that every command has, before or after its name. Each can be set in the environment, see
 * {@link EnvironmentDefaults}.
 */
final class GlobalOptions {
    private static final String DEFAULT_ADDRESS = "127.0.0.1:9002";

    @Option(
            names = {"-a", "--address"},
            paramLabel = "HOST:PORT",
            defaultValue = DEFAULT_ADDRESS,
            converter = AddressConverter.class,
            scope = ScopeType.INHERIT,
            description = "Where a server listens for gRPC. Default: ${DEFAULT-VALUE}. Environment: SHARDCTL_ADDRESS.")
    private Address address = Address.parse(DEFAULT_ADDRESS);

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAME",
            defaultValue = "",
            scope = ScopeType.INHERIT,
            description = "Namespace to work in. Default: none. Environment: SHARDCTL_NAMESPACE.")
    private String namespace = "";

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "table",
            scope = ScopeType.INHERIT,
            description = "How to print results and errors: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}."
                    + " Environment: SHARDCTL_OUTPUT.")
    private OutputFormat output = OutputFormat.TABLE;

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            defaultValue = "10s",
            converter = DurationConverter.class,
            scope = ScopeType.INHERIT,
            description = "How long to wait for an answer, for example 250ms, 10s or 2m. Default: ${DEFAULT-VALUE}."
                    + " Environment: SHARDCTL_TIMEOUT.")
    private Duration timeout = Duration.ofSeconds(10);

    @Option(
            names = "--tls",
            negatable = true,
            defaultValue = "false",
            fallbackValue = "true",
            scope = ScopeType.INHERIT,
            description = "Connect with TLS, or without. Default: ${DEFAULT-VALUE}. Environment: SHARDCTL_TLS=true.")
    private boolean tls;

    @Option(
            names = "--ca-cert",
            paramLabel = "FILE",
            scope = ScopeType.INHERIT,
            description = "PEM file with the authorities to trust. Default: those of the Java runtime."
                    + " Environment: SHARDCTL_CA_CERT.")
    private @Nullable Path caCert;

    @Option(
            names = "--cert",
            paramLabel = "FILE",
            scope = ScopeType.INHERIT,
            description = "PEM file with the client certificate, for servers that ask for one. Default: none."
                    + " Environment: SHARDCTL_CERT.")
    private @Nullable Path cert;

    @Option(
            names = "--key",
            paramLabel = "FILE",
            scope = ScopeType.INHERIT,
            description = "PEM file with the PKCS#8 key of --cert. Default: none. Environment: SHARDCTL_KEY.")
    private @Nullable Path key;

    @Option(
            names = "--server-name",
            paramLabel = "NAME",
            scope = ScopeType.INHERIT,
            description = "Name that the server's certificate must carry. Default: the host of the address."
                    + " Environment: SHARDCTL_SERVER_NAME.")
    private @Nullable String serverName;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help and exit.")
    @SuppressWarnings("UnusedVariable") // picocli acts on it
    private boolean help;

    /** How to print. */
    OutputFormat output() {
        return output;
    }

    /** The server to call. */
    Server server() {
        return new Server(address, security(), timeout);
    }

    /** The namespace to work in, if one was named. */
    Optional<String> namespace() {
        return Optional.of(namespace).filter(name -> !name.isEmpty());
    }

    private Security security() {
        if (!tls) {
            if (caCert != null || cert != null || key != null || serverName != null) {
                throw new UsageException("--ca-cert, --cert, --key and --server-name work with TLS only; add --tls");
            }
            return new Security.Plaintext();
        }
        return new Security.Tls(readable("--ca-cert", caCert), identity(), Optional.ofNullable(serverName));
    }

    private Optional<Security.Identity> identity() {
        Optional<Path> certificate = readable("--cert", cert);
        Optional<Path> privateKey = readable("--key", key);
        if (certificate.isPresent() != privateKey.isPresent()) {
            throw new UsageException("--cert and --key belong together; give both or neither");
        }
        return certificate.flatMap(c -> privateKey.map(k -> new Security.Identity(c, k)));
    }

    private static Optional<Path> readable(String option, @Nullable Path file) {
        if (file != null && !(Files.isRegularFile(file) && Files.isReadable(file))) {
            throw new UsageException(option + " " + file + " is no readable file; name a PEM file");
        }
        return Optional.ofNullable(file);
    }
}
