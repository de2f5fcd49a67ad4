package io.shardwright.control;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Parser;
import io.shardwright.control.stored.v1.StoredDrain;
import io.shardwright.control.stored.v1.StoredDrains;
import io.shardwright.control.stored.v1.StoredEpochs;
import io.shardwright.control.stored.v1.StoredExecutor;
import io.shardwright.control.stored.v1.StoredNamespace;
import io.shardwright.control.stored.v1.StoredSegment;
import io.shardwright.control.stored.v1.StoredShard;
import io.shardwright.domain.Drain;
import io.shardwright.domain.Drains;
import io.shardwright.domain.Executor;
import io.shardwright.domain.ExecutorId;
import io.shardwright.domain.Namespace;
import io.shardwright.domain.NamespaceName;
import io.shardwright.domain.Segment;
import io.shardwright.domain.Shard;
import io.shardwright.domain.ShardKey;
import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.KeyValue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Turns state into stored values and back. */
final class StateCodec {

    private static final int FORMAT = 1;

    /** Far above what a claim can raise an epoch to, and far from an overflow. */
    private static final long MAX_EPOCH = 1L << 62;

    private StateCodec() {}

    /**
     * A namespace with the epoch that its shards start from and the longest lease that its executors were ever told.
     */
    record NamespaceRecord(Namespace namespace, long epochFloor, Duration longestLease) {}

    static Bytes encode(NamespaceRecord entry) {
        Namespace namespace = entry.namespace();
        int count = namespace.kind() instanceof Namespace.Kind.Fixed(int shards) ? shards : 0;
        return Bytes.of(StoredNamespace.newBuilder()
                .setFormat(FORMAT)
                .setName(namespace.name().value())
                .setShardCount(count)
                .setLeaseMillis(namespace.lease().toMillis())
                .setBalancer(namespace.balancer())
                .setEpochFloor(entry.epochFloor())
                .setLongestLeaseMillis(entry.longestLease().toMillis())
                .build()
                .toByteArray());
    }

    static NamespaceRecord decodeNamespace(KeyValue kv) {
        StoredNamespace stored = parse(kv, StoredNamespace.parser());
        checkFormat(kv, stored.getFormat());
        return build(kv, () -> {
            Namespace.Kind kind = stored.getShardCount() == 0
                    ? new Namespace.Kind.Ephemeral()
                    : new Namespace.Kind.Fixed(stored.getShardCount());
            NamespaceName name = new NamespaceName(stored.getName());
            Duration lease = Duration.ofMillis(stored.getLeaseMillis());
            Duration longest = Duration.ofMillis(stored.getLongestLeaseMillis());
            if (longest.isNegative() || longest.compareTo(Namespace.MAX_LEASE) > 0) {
                throw new IllegalArgumentException("its longest lease is " + longest);
            }
            return new NamespaceRecord(
                    new Namespace(name, kind, lease, stored.getBalancer()),
                    epoch(stored.getEpochFloor()),
                    longest.compareTo(lease) > 0 ? longest : lease);
        });
    }

    /** The highest epoch of a namespace that was deleted. */
    record EpochsRecord(NamespaceName namespace, long highest) {}

    static Bytes encode(EpochsRecord entry) {
        return Bytes.of(StoredEpochs.newBuilder()
                .setFormat(FORMAT)
                .setName(entry.namespace().value())
                .setHighest(entry.highest())
                .build()
                .toByteArray());
    }

    static EpochsRecord decodeEpochs(KeyValue kv) {
        StoredEpochs stored = parse(kv, StoredEpochs.parser());
        checkFormat(kv, stored.getFormat());
        return build(kv, () -> new EpochsRecord(new NamespaceName(stored.getName()), epoch(stored.getHighest())));
    }

    static Bytes encode(Drains drains) {
        StoredDrains.Builder stored = StoredDrains.newBuilder().setFormat(FORMAT);
        drains.shards().forEach((key, drain) -> stored.addShards(stored(key.value(), drain)));
        drains.hosts().forEach((host, drain) -> stored.addHosts(stored(host, drain)));
        return Bytes.of(stored.build().toByteArray());
    }

    private static StoredDrain stored(String name, Drain drain) {
        return StoredDrain.newBuilder()
                .setName(name)
                .setDrainedBy(drain.by())
                .setReason(drain.reason())
                .setDrainedAtMillis(drain.at().toEpochMilli())
                .build();
    }

    static Drains decodeDrains(KeyValue kv) {
        StoredDrains stored = parse(kv, StoredDrains.parser());
        checkFormat(kv, stored.getFormat());
        return build(kv, () -> {
            TreeMap<ShardKey, Drain> shards = new TreeMap<>();
            stored.getShardsList().forEach(shard -> shards.put(new ShardKey(shard.getName()), drain(shard)));
            TreeMap<String, Drain> hosts = new TreeMap<>();
            stored.getHostsList().forEach(host -> hosts.put(host.getName(), drain(host)));
            return new Drains(shards, hosts);
        });
    }

    private static Drain drain(StoredDrain stored) {
        return new Drain(stored.getDrainedBy(), stored.getReason(), Instant.ofEpochMilli(stored.getDrainedAtMillis()));
    }

    static Bytes encode(Executor executor) {
        StoredExecutor.Builder stored = StoredExecutor.newBuilder()
                .setFormat(FORMAT)
                .setId(executor.id().value())
                .setProcessId(executor.processId())
                .setAddress(executor.address())
                .setHost(executor.host())
                .setLeaving(executor.status() == Executor.Status.LEAVING);
        executor.labels().forEach((name, value) -> stored.addLabelNames(name).addLabelValues(value));
        return Bytes.of(stored.build().toByteArray());
    }

    static Executor decodeExecutor(KeyValue kv) {
        StoredExecutor stored = parse(kv, StoredExecutor.parser());
        checkFormat(kv, stored.getFormat());
        return build(kv, () -> {
            if (stored.getLabelNamesCount() != stored.getLabelValuesCount()) {
                throw new IllegalArgumentException("it has " + stored.getLabelNamesCount() + " label names and "
                        + stored.getLabelValuesCount() + " label values");
            }
            TreeMap<String, String> labels = new TreeMap<>();
            for (int i = 0; i < stored.getLabelNamesCount(); i++) {
                labels.put(stored.getLabelNames(i), stored.getLabelValues(i));
            }
            return new Executor(
                    new ExecutorId(stored.getId()),
                    stored.getProcessId(),
                    stored.getAddress(),
                    stored.getHost(),
                    labels,
                    stored.getLeaving() ? Executor.Status.LEAVING : Executor.Status.ACTIVE);
        });
    }

    static Bytes encode(Segment segment, boolean keysByPosition) {
        TreeMap<ExecutorId, Integer> positions = new TreeMap<>();
        for (Shard shard : segment.shards()) {
            shard.owner().ifPresent(id -> positions.put(id, 0));
            next(shard).ifPresent(id -> positions.put(id, 0));
        }
        StoredSegment.Builder stored =
                StoredSegment.newBuilder().setFormat(FORMAT).setId(segment.id()).setEpochFloor(segment.epochFloor());
        int position = 0;
        for (var entry : positions.entrySet()) {
            entry.setValue(++position);
            stored.addExecutors(entry.getKey().value());
        }
        for (Shard shard : segment.shards()) {
            StoredShard.Builder record = StoredShard.newBuilder()
                    .setEpoch(shard.epoch())
                    .setOwner(shard.owner().map(positions::get).orElse(0))
                    .setReleasing(shard.state() instanceof Shard.State.Releasing)
                    .setNext(next(shard).map(positions::get).orElse(0));
            if (!keysByPosition) {
                record.setKey(shard.key().value());
            }
            stored.addShards(record);
        }
        return Bytes.of(stored.build().toByteArray());
    }

    private static Optional<ExecutorId> next(Shard shard) {
        return shard.state() instanceof Shard.State.Releasing releasing ? releasing.next() : Optional.empty();
    }

    /** Reads a segment; {@code fresh} is the segment as it would be if it had never been written. */
    static Segment decodeSegment(KeyValue kv, Segment fresh, boolean keysByPosition) {
        StoredSegment stored = parse(kv, StoredSegment.parser());
        checkFormat(kv, stored.getFormat());
        return build(kv, () -> {
            if (stored.getId() != fresh.id()) {
                throw new IllegalArgumentException("it says segment " + stored.getId());
            }
            if (keysByPosition && stored.getShardsCount() != fresh.size()) {
                throw new IllegalArgumentException(
                        "it holds " + stored.getShardsCount() + " shards where " + fresh.size() + " belong");
            }
            List<ExecutorId> executors = new ArrayList<>();
            stored.getExecutorsList().forEach(id -> executors.add(new ExecutorId(id)));
            List<Shard> shards = new ArrayList<>(stored.getShardsCount());
            for (int i = 0; i < stored.getShardsCount(); i++) {
                StoredShard record = stored.getShards(i);
                ShardKey key = keysByPosition ? fresh.at(i).key() : new ShardKey(record.getKey());
                if (!keysByPosition && i > 0 && shards.get(i - 1).key().compareTo(key) >= 0) {
                    throw new IllegalArgumentException("its keys are out of order at " + key);
                }
                shards.add(decodeShard(key, record, executors));
            }
            return Segment.of(stored.getId(), epoch(stored.getEpochFloor()), shards);
        });
    }

    private static Shard decodeShard(ShardKey key, StoredShard record, List<ExecutorId> executors) {
        Shard bare = Shard.unassigned(key, epoch(record.getEpoch()));
        if (record.getOwner() == 0) {
            return bare;
        }
        ExecutorId owner = at(executors, record.getOwner(), key);
        if (!record.getReleasing()) {
            return new Shard(key, record.getEpoch(), new Shard.State.Assigned(owner));
        }
        Optional<ExecutorId> next =
                record.getNext() == 0 ? Optional.empty() : Optional.of(at(executors, record.getNext(), key));
        return bare.release(owner, next);
    }

    private static long epoch(long stored) {
        if (stored < 0 || stored > MAX_EPOCH) {
            throw new IllegalArgumentException("it holds epoch " + Long.toUnsignedString(stored));
        }
        return stored;
    }

    private static ExecutorId at(List<ExecutorId> executors, int position, ShardKey key) {
        if (position < 0 || position > executors.size()) {
            throw new IllegalArgumentException(
                    "shard " + key + " names executor " + position + " of " + executors.size());
        }
        return executors.get(position - 1);
    }

    private static <T> T parse(KeyValue kv, Parser<T> parser) {
        try {
            return parser.parseFrom(kv.value().toByteArray());
        } catch (InvalidProtocolBufferException e) {
            throw new CorruptState(kv.key(), "it is not the message it should be (" + e.getMessage() + ")");
        }
    }

    private static void checkFormat(KeyValue kv, int format) {
        if (format != FORMAT) {
            throw new CorruptState(
                    kv.key(),
                    "format " + Integer.toUnsignedString(format) + " is not known, this version reads format "
                            + FORMAT);
        }
    }

    private static <T> T build(KeyValue kv, Supplier<T> builder) {
        try {
            return builder.get();
        } catch (IllegalArgumentException e) {
            throw new CorruptState(kv.key(), String.valueOf(e.getMessage()));
        }
    }
}
