package io.shardwright.persistence.etcd;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * How one TLS handshake with a member of etcd went. The calls of a store tell only that there is no connection; this
 * tells why, so that what only a person can mend is said to one (R54, R56, R59).
 */
public sealed interface EtcdHandshake {

    /** Each side accepts the other. */
    record Accepted() implements EtcdHandshake {}

    /** Nothing was learnt: no connection, or no answer in time. */
    record NoAnswer(String why) implements EtcdHandshake {}

    /** One side does not accept the other, and will not until settings or certificates change. */
    record Refused(String why) implements EtcdHandshake {}

    /** The certificate of etcd has ended or not begun: mended on etcd's side, so worth waiting for. */
    record NotValidNow(String why) implements EtcdHandshake {}

    /**
     * Makes one connection, and closes it.
     *
     * @param endpoint {@code https://host:port}
     * @param timeout of each step: to connect, and for each answer
     */
    static EtcdHandshake with(URI endpoint, EtcdTls tls, Duration timeout) {
        int millis = Math.toIntExact(timeout.toMillis());
        try (Socket plain = new Socket()) {
            plain.connect(new InetSocketAddress(endpoint.getHost(), endpoint.getPort()), millis);
            plain.setSoTimeout(millis);
            String name = tls.serverName().orElse(endpoint.getHost());
            try (SSLSocket socket = (SSLSocket)
                    context(tls).getSocketFactory().createSocket(plain, unbracketed(name), endpoint.getPort(), true)) {
                return greet(socket);
            }
        } catch (SSLException e) {
            return failed(e);
        } catch (SocketTimeoutException e) {
            return new NoAnswer("no answer within " + timeout);
        } catch (SocketException e) {
            return new NoAnswer(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            return new NoAnswer(e.toString());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime cannot do TLS", e);
        }
    }

    private static String unbracketed(String host) {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    private static SSLContext context(EtcdTls tls) throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        KeyManager[] keys =
                tls.keyManager().map(manager -> new KeyManager[] {manager}).orElseGet(() -> new KeyManager[0]);
        context.init(keys, new TrustManager[] {tls.trustManager()}, null);
        return context;
    }

    /**
     * Since TLS 1.3 the handshake ends for the client before the server has looked at its certificate; so this begins
     * to speak HTTP/2 and waits for the first byte of the answer.
     */
    private static EtcdHandshake greet(SSLSocket socket) throws IOException {
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        parameters.setApplicationProtocols(new String[] {"h2"});
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        socket.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII));
        byte[] emptySettings = {0, 0, 0, 4, 0, 0, 0, 0, 0};
        socket.getOutputStream().write(emptySettings);
        return socket.getInputStream().read() < 0 ? new NoAnswer("the connection was closed") : new Accepted();
    }

    private static EtcdHandshake failed(SSLException e) {
        Optional<Throwable> ended = cause(e, CertificateExpiredException.class);
        if (ended.isPresent()) {
            return new NotValidNow(
                    "the certificate of etcd has expired: " + ended.get().getMessage());
        }
        Optional<Throwable> early = cause(e, CertificateNotYetValidException.class);
        if (early.isPresent()) {
            return new NotValidNow(
                    "the certificate of etcd is not valid yet: " + early.get().getMessage());
        }
        // A broken connection is wrapped as well, and says nothing about certificates.
        return cause(e, SocketException.class)
                .or(() -> cause(e, SocketTimeoutException.class))
                .<EtcdHandshake>map(broken -> new NoAnswer(String.valueOf(broken.getMessage())))
                .orElseGet(() -> new Refused(String.valueOf(e.getMessage())));
    }

    private static Optional<Throwable> cause(Throwable thrown, Class<? extends Throwable> type) {
        for (@Nullable Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return Optional.of(cause);
            }
        }
        return Optional.empty();
    }
}
