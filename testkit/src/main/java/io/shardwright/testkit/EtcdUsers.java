package io.shardwright.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.AuthDisableRequest;
import io.etcd.jetcd.api.AuthEnableRequest;
import io.etcd.jetcd.api.AuthGrpc;
import io.etcd.jetcd.api.AuthRoleAddRequest;
import io.etcd.jetcd.api.AuthRoleGrantPermissionRequest;
import io.etcd.jetcd.api.AuthUserAddRequest;
import io.etcd.jetcd.api.AuthUserChangePasswordRequest;
import io.etcd.jetcd.api.AuthUserGrantRoleRequest;
import io.etcd.jetcd.api.AuthenticateRequest;
import io.etcd.jetcd.api.Permission;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.TlsChannelCredentials;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;

/** The users of a running etcd: {@code root}, and others who may use one prefix. A password is "pw of NAME". */
public final class EtcdUsers implements AutoCloseable {

    private final ManagedChannel channel;
    private final String prefix;

    private EtcdUsers(TestEtcd etcd, ChannelCredentials credentials, String prefix) {
        URI endpoint = URI.create(etcd.endpoint());
        this.channel = Grpc.newChannelBuilderForAddress(endpoint.getHost(), endpoint.getPort(), credentials)
                .build();
        this.prefix = prefix;
    }

    /**
     * Adds {@code root} and another user, and makes etcd ask for one.
     *
     * @param prefix of the keys that the other may read and write
     */
    public static EtcdUsers enable(TestEtcd etcd, String prefix, String name) {
        return new EtcdUsers(etcd, InsecureChannelCredentials.create(), prefix).begin(name);
    }

    /** As {@link #enable(TestEtcd, String, String)}, over TLS. */
    public static EtcdUsers enable(TestEtcd etcd, Path ca, Certificates.Pair client, String prefix, String name) {
        try {
            ChannelCredentials credentials = TlsChannelCredentials.newBuilder()
                    .trustManager(ca.toFile())
                    .keyManager(client.certificate().toFile(), client.key().toFile())
                    .build();
            return new EtcdUsers(etcd, credentials, prefix).begin(name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private EtcdUsers begin(String name) {
        AuthGrpc.AuthBlockingStub nobody = AuthGrpc.newBlockingStub(channel);
        ByteString start = ByteString.copyFrom(prefix, UTF_8);
        // The first key behind all of the prefix; a prefix here ends with a slash.
        ByteString end = ByteString.copyFrom(prefix.substring(0, prefix.length() - 1) + "0", UTF_8);
        nobody.roleAdd(AuthRoleAddRequest.newBuilder().setName("root").build());
        nobody.roleAdd(AuthRoleAddRequest.newBuilder().setName("of the prefix").build());
        nobody.roleGrantPermission(AuthRoleGrantPermissionRequest.newBuilder()
                .setName("of the prefix")
                .setPerm(Permission.newBuilder()
                        .setPermType(Permission.Type.READWRITE)
                        .setKey(start)
                        .setRangeEnd(end))
                .build());
        add(nobody, "root", "root");
        add(nobody, name, "of the prefix");
        enable();
        return this;
    }

    private static void add(AuthGrpc.AuthBlockingStub auth, String name, String role) {
        auth.userAdd(AuthUserAddRequest.newBuilder()
                .setName(name)
                .setPassword(password(name))
                .build());
        auth.userGrantRole(AuthUserGrantRoleRequest.newBuilder()
                .setUser(name)
                .setRole(role)
                .build());
    }

    /** Returns the password of a user. */
    public static String password(String name) {
        return "pw of " + name;
    }

    private AuthGrpc.AuthBlockingStub asRoot() {
        String token = AuthGrpc.newBlockingStub(channel)
                .authenticate(AuthenticateRequest.newBuilder()
                        .setName("root")
                        .setPassword(password("root"))
                        .build())
                .getToken();
        Metadata headers = new Metadata();
        headers.put(Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER), token);
        return AuthGrpc.newBlockingStub(channel).withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
    }

    /** Adds one more user of the prefix, which changes the revision of the list of users. */
    public void add(String name) {
        add(asRoot(), name, "of the prefix");
    }

    /** Gives a user another password. */
    public void changePassword(String name, String password) {
        asRoot().userChangePassword(AuthUserChangePasswordRequest.newBuilder()
                .setName(name)
                .setPassword(password)
                .build());
    }

    /** Makes etcd ask nobody. */
    public void disable() {
        asRoot().authDisable(AuthDisableRequest.getDefaultInstance());
    }

    /** Makes etcd ask everybody. */
    public void enable() {
        AuthGrpc.newBlockingStub(channel).authEnable(AuthEnableRequest.getDefaultInstance());
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
