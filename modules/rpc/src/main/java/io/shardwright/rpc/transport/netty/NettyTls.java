package io.shardwright.rpc.transport.netty;

import io.grpc.netty.GrpcSslContexts;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.shardwright.rpc.transport.TransportSecurity;
import io.shardwright.rpc.transport.TransportSecurity.MutualTls;
import io.shardwright.rpc.transport.TransportSecurity.Plaintext;
import io.shardwright.rpc.transport.TransportSecurity.Tls;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Reads the PEM files of a {@link TransportSecurity} into netty's form. */
final class NettyTls {
    private NettyTls() {}

    static Optional<SslContext> contextFor(TransportSecurity security) throws IOException {
        return switch (security) {
            case Plaintext() -> Optional.empty();
            case Tls(Path chain, Path key) ->
                Optional.of(GrpcSslContexts.forServer(chain.toFile(), key.toFile())
                        .build());
            case MutualTls(Path chain, Path key, Path authorities, var clientCertificate) ->
                Optional.of(GrpcSslContexts.forServer(chain.toFile(), key.toFile())
                        .trustManager(authorities.toFile())
                        .clientAuth(
                                switch (clientCertificate) {
                                    case REQUESTED -> ClientAuth.OPTIONAL;
                                    case REQUIRED -> ClientAuth.REQUIRE;
                                })
                        .build());
        };
    }
}
