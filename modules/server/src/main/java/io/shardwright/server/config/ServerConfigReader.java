package io.shardwright.server.config;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Makes the typed configuration from the values of the keys, reporting every rule that is broken on the way. */
final class ServerConfigReader {
    private static final Set<String> WILDCARDS = Set.of("0.0.0.0", "::", "0:0:0:0:0:0:0:0");

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
        if (values.get(ConfigKeys.STORE) == PersistenceConfig.Type.ETCD) {
            rules.required(ConfigKeys.GRPC_ADVERTISED_HOST, "persistence.type etcd");
        }
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
                advertised(),
                values.get(ConfigKeys.GRPC_MAX_MESSAGE),
                values.get(ConfigKeys.GRPC_GRACE),
                grpcTls());
    }

    private Optional<GrpcConfig.Advertised> advertised() {
        rules.needs(ConfigKeys.GRPC_ADVERTISED_PORT, ConfigKeys.GRPC_ADVERTISED_HOST);
        Optional<String> host = values.find(ConfigKeys.GRPC_ADVERTISED_HOST);
        host.filter(WILDCARDS::contains)
                .ifPresent(wildcard -> rules.refuse(
                        ConfigKeys.GRPC_ADVERTISED_HOST,
                        "is the address of every machine: nobody could be sent to this server.",
                        "Set it to the name or address under which the others reach this very server."));
        host.filter(name -> name.contains(":")
                        && !values.get(ConfigKeys.GRPC_BIND_ADDRESS).contains(":"))
                .filter(name -> !WILDCARDS.contains(name))
                .ifPresent(ipv6 -> rules.refuse(
                        ConfigKeys.GRPC_ADVERTISED_HOST,
                        "is an IPv6 address, but " + ConfigKeys.GRPC_BIND_ADDRESS.key() + " is "
                                + values.get(ConfigKeys.GRPC_BIND_ADDRESS) + ": nothing listens there.",
                        "Set " + ConfigKeys.GRPC_BIND_ADDRESS.key() + " to `::`, or advertise an IPv4 address."));
        Optional<Integer> port = values.find(ConfigKeys.GRPC_ADVERTISED_PORT);
        return host.map(name ->
                new GrpcConfig.Advertised(name, port.map(OptionalInt::of).orElseGet(OptionalInt::empty)));
    }

    private Optional<GrpcConfig.Tls> grpcTls() {
        rules.together(ConfigKeys.GRPC_CERT, ConfigKeys.GRPC_KEY);
        rules.needs(ConfigKeys.GRPC_CLIENT_CA, ConfigKeys.GRPC_CERT);
        boolean requireClient = values.get(ConfigKeys.GRPC_REQUIRE_CLIENT_CERT);
        if (requireClient) {
            rules.needs(ConfigKeys.GRPC_REQUIRE_CLIENT_CERT, ConfigKeys.GRPC_CLIENT_CA);
        }
        Optional<Path> cert = files.certificates(ConfigKeys.GRPC_CERT);
        Optional<Path> key = files.privateKey(ConfigKeys.GRPC_KEY);
        Optional<Path> clientCa = files.certificates(ConfigKeys.GRPC_CLIENT_CA);
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
