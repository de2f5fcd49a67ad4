package io.shardwright.election;

import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.KeyValue;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The candidates at one revision, in the order in which they lead: by the revision that created their entry. Immutable.
 *
 * @param revision store revision that this is right for
 */
record CampaignQueue(long revision, List<KeyValue> entries) {

    /** What is known before the first read. */
    static final CampaignQueue UNKNOWN = new CampaignQueue(0, List.of());

    static CampaignQueue of(long revision, Collection<KeyValue> kvs) {
        return new CampaignQueue(
                revision,
                kvs.stream()
                        .sorted(Comparator.comparingLong(KeyValue::createRevision))
                        .toList());
    }

    Optional<KeyValue> first() {
        return entries.stream().findFirst();
    }

    boolean isFirst(Bytes key, long createRevision) {
        return first().filter(kv -> kv.key().equals(key) && kv.createRevision() == createRevision)
                .isPresent();
    }

    /** Tells whether an entry was there and is not any more; one that is newer than this view is not gone. */
    boolean isGone(Bytes key, long createRevision) {
        return revision >= createRevision
                && entries.stream().noneMatch(kv -> kv.key().equals(key) && kv.createRevision() == createRevision);
    }

    /** Tells whether somebody with a newer version waits behind an entry (R148). */
    boolean newerBehind(long createRevision, String version) {
        return behind(createRevision).stream()
                .flatMap(kv -> ElectionEntry.decode(kv.value()).stream())
                .anyMatch(entry -> BuildVersion.isNewer(entry.candidate().version(), version));
    }

    /** Returns the candidates as they tell of themselves; only the first of them can be ready. */
    List<QueuedReplica> replicas() {
        return entries.stream().map(CampaignQueue::replica).toList();
    }

    static QueuedReplica replica(KeyValue entry) {
        return ElectionEntry.decode(entry.value())
                .map(read -> QueuedReplica.of(read.candidate(), read.ready()))
                .orElseGet(() -> new QueuedReplica("", Optional.empty(), "", false));
    }

    /** Returns the entries that were made after one. */
    List<KeyValue> behind(long createRevision) {
        return entries.stream()
                .filter(kv -> kv.createRevision() > createRevision)
                .toList();
    }

    /** Returns what the first candidate says of itself. */
    Optional<ElectionEntry> leader() {
        return first().flatMap(kv -> ElectionEntry.decode(kv.value()));
    }
}
