package io.shardwright.rpc.service;

import io.shardwright.control.NamespaceView;
import io.shardwright.domain.Executor;
import io.shardwright.domain.Segment;
import io.shardwright.proto.v1.ExecutorInfo;
import io.shardwright.proto.v1.RoutingEvent;
import io.shardwright.proto.v1.RoutingSnapshot;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Cuts a whole routing table into messages. A reader keeps only the (immutable, shared) view and its place in it; the
 * parts of the view that was asked for last are kept for those who ask for the same. Not thread-safe.
 */
final class RoutingParts {

    /** Routes after which a part ends; segments are not cut, so a part is a little longer. */
    private static final int PART_SHARDS = 5_000;

    /** Bytes of executors after which a part ends; labels may be long. */
    private static final int PART_EXECUTOR_BYTES = 1 << 20;

    private final String incarnation;
    private final TreeMap<Place, Part> kept = new TreeMap<>();
    private Optional<NamespaceView> keptView = Optional.empty();

    /** Where a part begins: first the executors, then the segments of the table. */
    record Place(int executor, int segment) implements Comparable<Place> {

        static final Place BEGIN = new Place(0, 0);

        @Override
        public int compareTo(Place other) {
            return executor != other.executor
                    ? Integer.compare(executor, other.executor)
                    : Integer.compare(segment, other.segment);
        }
    }

    /** A part, and where the next one begins; empty after the last. */
    record Part(RoutingEvent event, Optional<Place> next) {}

    RoutingParts(String incarnation) {
        this.incarnation = incarnation;
    }

    @SuppressWarnings("ReferenceEquality") // one view, not an equal one: comparing tables would cost more than the part
    Part part(NamespaceView view, Place place) {
        boolean current = keptView.isPresent() && keptView.get() == view;
        boolean newer = keptView.isEmpty() || keptView.get().revision() < view.revision();
        if (!current && !newer) {
            return build(view, place);
        }
        if (newer) {
            keptView = Optional.of(view);
            kept.clear();
        }
        return kept.computeIfAbsent(place, p -> build(view, p));
    }

    /** Lets the kept parts go. */
    void forget() {
        keptView = Optional.empty();
        kept.clear();
    }

    private Part build(NamespaceView view, Place place) {
        RoutingSnapshot.Builder snapshot = RoutingSnapshot.newBuilder().setFirst(place.equals(Place.BEGIN));
        List<Executor> executors = List.copyOf(view.executors().values());
        int executor = place.executor();
        int bytes = 0;
        while (executor < executors.size() && bytes < PART_EXECUTOR_BYTES) {
            ExecutorInfo info = ToWire.executor(executors.get(executor++));
            bytes += info.getSerializedSize();
            snapshot.addExecutors(info);
        }
        int segment = place.segment();
        if (executor == executors.size() && bytes < PART_EXECUTOR_BYTES) {
            while (segment < view.table().segmentCount() && snapshot.getShardsCount() < PART_SHARDS) {
                add(view.table().segment(segment++), snapshot);
            }
        }
        boolean last = executor == executors.size() && segment == view.table().segmentCount();
        RoutingEvent event = RoutingEvent.newBuilder()
                .setIncarnation(incarnation)
                .setRevision(view.revision())
                .setSnapshot(snapshot.setLast(last))
                .build();
        return new Part(event, last ? Optional.empty() : Optional.of(new Place(executor, segment)));
    }

    private static void add(Segment segment, RoutingSnapshot.Builder snapshot) {
        for (int i = 0; i < segment.size(); i++) {
            snapshot.addShards(ToWire.route(segment.at(i)));
        }
    }
}
