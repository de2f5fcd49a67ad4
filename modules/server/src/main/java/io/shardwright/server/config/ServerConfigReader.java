package io.shardwright.server.config;

import java.nio.file.Path;
import java.util.Optional;

/** Makes the typed configuration from the values of the keys, reporting every rule that is broken on the way. */
final class ServerConfigReader {
    private final Values values;
    private final Rules rules;
    private final FileChecks files;

    ServerConfigReader(Values values) {
        this.values = values;
        this.rules = new Rules(values);
        this.files = new FileChecks(values);
    }

    ServerConfig read() {
        GrpcConfig grpc = grpc();
        HttpConfig http = http();
        refuseSamePort(grpc, http);
        return new ServerConfig(
                grpc,
                http,
                new PersistenceReader(values, rules, files).read(),
                new StoreLimits(values.get(ConfigKeys.MAX_TXN_OPERATIONS), values.get(ConfigKeys.MAX_REQUEST_BYTES)),
                new LeaseConfig(values.get(ConfigKeys.DEFAULT_LEASE), values.get(ConfigKeys.CLOCK_DRIFT)),
                new NamespaceList(values).read());
    }

    private GrpcConfig grpc() {
        return new GrpcConfig(
                values.get(ConfigKeys.GRPC_TRANSPORT),
                new Listen(values.get(ConfigKeys.GRPC_BIND_ADDRESS), values.get(ConfigKeys.GRPC_PORT)),
                values.get(ConfigKeys.GRPC_MAX_MESSAGE),
                values.get(ConfigKeys.GRPC_GRACE),
                grpcTls());
    }

    private Optional<GrpcConfig.Tls> grpcTls() {
        rules.together(ConfigKeys.GRPC_CERT, ConfigKeys.GRPC_KEY);
        rules.needs(ConfigKeys.GRPC_CLIENT_CA, ConfigKeys.GRPC_CERT);
        boolean requireClient = values.get(ConfigKeys.GRPC_REQUIRE_CLIENT_CERT);
        if (requireClient) {
            rules.needs(ConfigKeys.GRPC_REQUIRE_CLIENT_CERT, ConfigKeys.GRPC_CLIENT_CA);
        }
        Optional<Path> cert = files.readable(ConfigKeys.GRPC_CERT);
        Optional<Path> key = files.readable(ConfigKeys.GRPC_KEY);
        Optional<Path> clientCa = files.readable(ConfigKeys.GRPC_CLIENT_CA);
        return cert.flatMap(c -> key.map(k -> new GrpcConfig.Tls(c, k, clientCa, requireClient)));
    }

    private HttpConfig http() {
        return new HttpConfig(
                values.get(ConfigKeys.HTTP_ENABLED),
                new Listen(values.get(ConfigKeys.HTTP_BIND_ADDRESS), values.get(ConfigKeys.HTTP_PORT)));
    }

    private void refuseSamePort(GrpcConfig grpc, HttpConfig http) {
        if (http.enabled()
                && http.listen().port() != 0
                && http.listen().port() == grpc.listen().port()) {
            rules.refuse(
                    ConfigKeys.HTTP_PORT,
                    "is the port of " + ConfigKeys.GRPC_PORT.key() + " too.",
                    "Give each its own port, or set " + ConfigKeys.HTTP_ENABLED.key() + " to false.");
        }
    }
}
