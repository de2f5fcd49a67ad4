package io.shardwright.rpc.transport.helidon;

import java.nio.charset.StandardCharsets;

/** The form that the gRPC protocol prescribes for {@code grpc-message}; Helidon sends descriptions as they are. */
final class PercentEncoding {
    private static final String HEX = "0123456789ABCDEF";

    private PercentEncoding() {}

    static String encode(String text) {
        StringBuilder encoded = new StringBuilder(text.length() + 16);
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            if (b >= ' ' && b <= '~' && b != '%') {
                encoded.append((char) b);
            } else {
                encoded.append('%').append(HEX.charAt((b >> 4) & 0xF)).append(HEX.charAt(b & 0xF));
            }
        }
        return encoded.toString();
    }
}
