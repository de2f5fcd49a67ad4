package io.shardwright.control;

import io.shardwright.persistence.Bytes;

/** A stored value that cannot be read. It is refused and named, never guessed. */
final class CorruptState extends RuntimeException {

    private static final long serialVersionUID = 1L;

    CorruptState(Bytes key, String what) {
        super("stored value of " + key + " cannot be used: " + what
                + "; restore it from a backup, or delete the key if its content may be lost");
    }
}
