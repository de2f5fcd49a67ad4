package io.shardwright.persistence;

import io.shardwright.domain.Outcome.Fault;
import java.util.Optional;

/**
 * Which changes to stream.
 *
 * @param range which keys
 * @param fromRevision first revision of interest; 0: what comes after the watch was created. May lie in the future.
 */
public record WatchRequest(KeyRange range, long fromRevision) {

    /** Returns what is wrong with a watch whatever the store holds, if anything: it could never hear of a change. */
    public Optional<Fault> check() {
        if (range.start().length() == 0) {
            return Optional.of(
                    new Fault(Fault.Kind.INVALID, "watch with an empty start key; a key has at least one byte"));
        }
        if (range.isEmpty()) {
            return Optional.of(new Fault(
                    Fault.Kind.INVALID,
                    "watch of a range that ends at " + range.end() + ", not after its start " + range.start()
                            + "; no key can be in it"));
        }
        return Optional.empty();
    }
}
