package io.shardwright.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** Passes bytes on until it freezes; then connections stay open and nothing moves, as with a host that stands still. */
final class FreezingProxy implements AutoCloseable {

    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final int target;
    private volatile int connections;
    private volatile boolean frozen;

    FreezingProxy(int target) throws IOException {
        this.target = target;
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    int connections() {
        return connections;
    }

    void freeze() {
        frozen = true;
    }

    private void accept() {
        try {
            while (true) {
                Socket from = listener.accept();
                sockets.add(from);
                connections = sockets.size();
                Thread.ofVirtual().start(() -> connect(from));
            }
        } catch (IOException e) {
            closed.countDown();
        }
    }

    private void connect(Socket from) {
        try (Socket to = new Socket(InetAddress.getLoopbackAddress(), target)) {
            Thread.ofVirtual().start(() -> pass(to, from));
            pass(from, to);
        } catch (IOException e) {
            // The end of one side is the end of both.
        }
    }

    private void pass(Socket from, Socket to) {
        byte[] buffer = new byte[8192];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                if (frozen) {
                    closed.await();
                    return;
                }
                out.write(buffer, 0, read);
                out.flush();
            }
        } catch (IOException e) {
            // The end of one side is the end of both.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        closed.countDown();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
