package io.shardwright.persistence.differential;

import io.shardwright.persistence.Bytes;

/**
 * A revision before it is known: so far from something that happened in the sequence.
 *
 * @param key what {@code WRITTEN} and {@code CREATED} are about
 */
record Rev(Anchor anchor, int delta, Bytes key) {

    /** No revision: a read or watch of what is newest, the number of an absent key. */
    static final Rev NONE = new Rev(Anchor.NONE, 0, Bytes.EMPTY);

    enum Anchor {
        NONE,
        /** The newest revision. */
        NEWEST,
        /** The revision up to which history is forgotten. */
        COMPACTED,
        /** The last write of a key; none if the key is absent. */
        WRITTEN,
        /** The creation of a key; none if the key is absent. */
        CREATED
    }

    @Override
    public String toString() {
        String from =
                switch (anchor) {
                    case NONE -> "0";
                    case NEWEST -> "newest";
                    case COMPACTED -> "compacted";
                    case WRITTEN -> "written(" + key + ")";
                    case CREATED -> "created(" + key + ")";
                };
        return delta == 0 ? from : from + "%+d".formatted(delta);
    }
}
