package io.shardwright.rpc.transport.conformance;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;

/** Speaks just enough HTTP/2 to ping more often than grpc-java lets its own clients. */
final class PingingClient implements AutoCloseable {
    private static final int SETTINGS = 4;
    private static final int PING = 6;
    private static final int GOAWAY = 7;
    private static final int ACK = 1;

    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;
    private long payload;

    private PingingClient(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new DataInputStream(socket.getInputStream());
        this.out = new DataOutputStream(socket.getOutputStream());
    }

    static PingingClient connect(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout((int) Rig.PATIENCE.toMillis());
        PingingClient client = new PingingClient(socket);
        client.out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII));
        client.send(SETTINGS, 0, new byte[0]);
        return client;
    }

    /** Sends a ping and waits for its answer; fails if the server says goodbye instead. */
    void ping() throws IOException {
        byte[] data = new byte[8];
        data[7] = (byte) ++payload;
        send(PING, 0, data);
        while (true) {
            int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
            int type = in.readUnsignedByte();
            int flags = in.readUnsignedByte();
            in.readInt();
            byte[] body = in.readNBytes(length);
            if (type == GOAWAY) {
                throw new AssertionError("the server closed the connection: " + new String(body, US_ASCII));
            }
            if (type == SETTINGS && flags != ACK) {
                send(SETTINGS, ACK, new byte[0]);
            }
            if (type == PING && flags == ACK) {
                return;
            }
        }
    }

    private void send(int type, int flags, byte[] body) throws IOException {
        out.writeByte(0);
        out.writeShort(body.length);
        out.writeByte(type);
        out.writeByte(flags);
        out.writeInt(0);
        out.write(body);
        out.flush();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
