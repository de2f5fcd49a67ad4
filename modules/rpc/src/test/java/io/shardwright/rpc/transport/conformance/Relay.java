package io.shardwright.rpc.transport.conformance;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A TCP relay that can cut its connections without a word, as a crashed client does, and stand still, as one that
 * hangs.
 */
final class Relay implements AutoCloseable {
    private final ServerSocket listener;
    private final int target;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private volatile boolean frozen;

    private Relay(ServerSocket listener, int target) {
        this.listener = listener;
        this.target = target;
    }

    static Relay to(int port) throws IOException {
        Relay relay = new Relay(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), port);
        Thread.startVirtualThread(relay::accept);
        return relay;
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Closes every connection with a TCP reset. */
    void cut() {
        for (Socket socket : sockets) {
            try {
                socket.setSoLinger(true, 0);
                socket.close();
            } catch (IOException alreadyCut) {
                // That is what was asked for.
            }
        }
    }

    /** Carries nothing any more, while its connections stay open. */
    void freeze() {
        frozen = true;
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                sockets.add(client);
                sockets.add(server);
                Thread.startVirtualThread(() -> copy(client, server));
                Thread.startVirtualThread(() -> copy(server, client));
            }
        } catch (IOException closed) {
            // The relay was closed.
        }
    }

    private void copy(Socket from, Socket to) {
        byte[] buffer = new byte[16 * 1024];
        try {
            for (int n = from.getInputStream().read(buffer);
                    n >= 0;
                    n = from.getInputStream().read(buffer)) {
                if (!frozen) {
                    to.getOutputStream().write(buffer, 0, n);
                }
            }
        } catch (IOException cut) {
            // The connection was cut.
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        cut();
    }
}
