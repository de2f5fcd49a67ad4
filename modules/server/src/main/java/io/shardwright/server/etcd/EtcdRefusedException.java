package io.shardwright.server.etcd;

/** Etcd and the settings do not go together; the message names the setting and the remedy. */
public final class EtcdRefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    EtcdRefusedException(String message) {
        super(message);
    }

    EtcdRefusedException(String message, Throwable cause) {
        super(message, cause);
    }
}
