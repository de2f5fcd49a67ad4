package io.shardwright.rpc.transport.netty;

import io.grpc.netty.GrpcSslContexts;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.shardwright.rpc.transport.TransportSecurity;
import io.shardwright.rpc.transport.TransportSecurity.ClientCertificate;
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
            case Plaintext plaintext -> Optional.empty();
            case Tls tls ->
                Optional.of(server(tls.certificateChain(), tls.privateKey()).build());
            case MutualTls mutual ->
                Optional.of(server(mutual.certificateChain(), mutual.privateKey())
                        .trustManager(mutual.clientAuthorities().toFile())
                        .clientAuth(clientAuth(mutual.clientCertificate()))
                        .build());
        };
    }

    private static SslContextBuilder server(Path chain, Path key) {
        return GrpcSslContexts.forServer(chain.toFile(), key.toFile());
    }

    private static ClientAuth clientAuth(ClientCertificate clientCertificate) {
        return switch (clientCertificate) {
            case REQUESTED -> ClientAuth.OPTIONAL;
            case REQUIRED -> ClientAuth.REQUIRE;
        };
    }
}
