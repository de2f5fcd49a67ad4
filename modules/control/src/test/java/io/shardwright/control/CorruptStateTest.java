package io.shardwright.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.MessageLite;
import io.shardwright.control.stored.v1.StoredDrain;
import io.shardwright.control.stored.v1.StoredDrains;
import io.shardwright.control.stored.v1.StoredEpochs;
import io.shardwright.control.stored.v1.StoredExecutor;
import io.shardwright.control.stored.v1.StoredNamespace;
import io.shardwright.control.stored.v1.StoredSegment;
import io.shardwright.control.stored.v1.StoredShard;
import io.shardwright.domain.NamespaceName;
import io.shardwright.domain.Outcome;
import io.shardwright.domain.ShardKey;
import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.KeyRange;
import io.shardwright.persistence.KeyValue;
import io.shardwright.persistence.RangeRequest;
import io.shardwright.persistence.RangeResponse;
import io.shardwright.persistence.Txn;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A stored value that cannot be used refuses the start, is named, and is left as it is for whoever repairs it. */
class CorruptStateTest {

    private static final KeyRange STATE = KeyRange.prefix(Bytes.utf8("/shardwright/state/"));

    /** One of each kind of stored value. */
    enum Stored {
        NAMESPACE("namespaces/orders"),
        EXECUTOR("executors/orders/a"),
        SEGMENT("shards/orders/"),
        SEGMENT_WITH_KEYS("shards/orders/"),
        DRAINS("drains/orders"),
        KEPT_EPOCHS("epochs/gone");

        private final String path;

        Stored(String path) {
            this.path = path;
        }

        KeyValue in(Cluster cluster) {
            return state(cluster).stream()
                    .filter(kv -> kv.key().toUtf8().startsWith("/shardwright/state/" + path))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(path + " is not stored"));
        }

        /** A store that holds each kind; of segments the one that is meant. */
        Cluster cluster() {
            Cluster cluster = this == SEGMENT_WITH_KEYS ? Cluster.ephemeral() : Cluster.fixed(3);
            cluster.join("a");
            if (this == SEGMENT_WITH_KEYS) {
                cluster.ok((Call<Answers.Owner> call) -> cluster.plane.lookup(Cluster.NS, new ShardKey("alice"), call));
            }
            if (this == DRAINS) {
                cluster.ok((Call<Answers.Drained> call) ->
                        cluster.plane.drainShards(Cluster.NS, List.of(new ShardKey("2")), "ann", "disk", call));
                cluster.ok((Call<Answers.Drained> call) ->
                        cluster.plane.drainHosts(Cluster.NS, List.of("rack-7"), "ann", "", call));
            }
            Bytes kept = StateCodec.encode(new StateCodec.EpochsRecord(new NamespaceName("gone"), 1_000_000));
            put(cluster, Bytes.utf8("/shardwright/state/epochs/gone"), kept);
            return cluster;
        }
    }

    /** What may have become of a value; each begins with its format, a varint field with number 1. */
    enum Damage {
        EMPTY {
            @Override
            byte[] to(byte[] value) {
                return new byte[0];
            }
        },
        GARBAGE {
            @Override
            byte[] to(byte[] value) {
                return "\u0001garbage".getBytes(StandardCharsets.UTF_8);
            }
        },
        CUT_BY_ONE_BYTE {
            @Override
            byte[] to(byte[] value) {
                return Arrays.copyOf(value, value.length - 1);
            }
        },
        ONE_BIT_OF_THE_FIRST_BYTE {
            @Override
            byte[] to(byte[] value) {
                return flipped(value, 0);
            }
        },
        A_FORMAT_OF_TOMORROW {
            @Override
            byte[] to(byte[] value) {
                byte[] newer = value.clone();
                newer[1] = 9;
                return newer;
            }
        };

        abstract byte[] to(byte[] value);
    }

    static Stream<Arguments> eachDamageOfEach() {
        return Stream.of(Stored.values())
                .flatMap(stored -> Stream.of(Damage.values()).map(damage -> Arguments.of(stored, damage)));
    }

    @ParameterizedTest
    @MethodSource("eachDamageOfEach")
    void aDamagedValueRefusesTheStartIsNamedAndLeftAsItIs(Stored stored, Damage damage) {
        Cluster cluster = stored.cluster();
        KeyValue kv = stored.in(cluster);
        String message = refused(cluster, kv.key(), damage.to(kv.value().toByteArray()));
        assertEquals(damage == Damage.A_FORMAT_OF_TOMORROW, message.contains("format 9 is not known"), message);
    }

    /** Values that are whole but cannot be: numbers out of range, names of others. */
    static Stream<Arguments> eachImpossibleValue() {
        StoredNamespace namespace = StoredNamespace.newBuilder()
                .setFormat(1)
                .setName("orders")
                .setShardCount(3)
                .setLeaseMillis(15_000)
                .setBalancer("naive")
                .build();
        StoredExecutor executor = StoredExecutor.newBuilder()
                .setFormat(1)
                .setId("a")
                .setProcessId("p")
                .build();
        StoredShard shard = StoredShard.newBuilder().setEpoch(1).setOwner(1).build();
        StoredSegment segment = StoredSegment.newBuilder()
                .setFormat(1)
                .addExecutors("a")
                .addAllShards(Collections.nCopies(3, shard))
                .build();
        StoredDrain drain =
                StoredDrain.newBuilder().setName("2").setDrainedAtMillis(7).build();
        StoredDrains drains = StoredDrains.newBuilder()
                .setFormat(1)
                .addShards(drain)
                .addHosts(drain)
                .build();
        StoredEpochs epochs = StoredEpochs.newBuilder()
                .setFormat(1)
                .setName("gone")
                .setHighest(7)
                .build();
        return Stream.of(
                impossible(Stored.NAMESPACE, namespace.toBuilder().setName("others")),
                impossible(Stored.NAMESPACE, namespace.toBuilder().setName("No Name")),
                impossible(Stored.NAMESPACE, namespace.toBuilder().setShardCount(-1)),
                impossible(Stored.NAMESPACE, namespace.toBuilder().setLeaseMillis(0)),
                impossible(Stored.NAMESPACE, namespace.toBuilder().setLeaseMillis(-1)),
                impossible(Stored.NAMESPACE, namespace.toBuilder().setLeaseMillis(Long.MAX_VALUE)),
                impossible(Stored.NAMESPACE, namespace.toBuilder().setLongestLeaseMillis(-1)),
                impossible(Stored.NAMESPACE, namespace.toBuilder().setLongestLeaseMillis(Long.MAX_VALUE)),
                impossible(Stored.NAMESPACE, namespace.toBuilder().setEpochFloor(Long.MAX_VALUE)),
                impossible(Stored.NAMESPACE, namespace.toBuilder().setEpochFloor(-1)),
                impossible(Stored.EXECUTOR, executor.toBuilder().setId("b")),
                impossible(Stored.EXECUTOR, executor.toBuilder().clearProcessId()),
                impossible(Stored.EXECUTOR, executor.toBuilder().addLabelNames("zone")),
                impossible(Stored.SEGMENT, segment.toBuilder().setId(1)),
                impossible(Stored.SEGMENT, segment.toBuilder().setEpochFloor(Long.MAX_VALUE)),
                impossible(Stored.SEGMENT, segment.toBuilder().setEpochFloor(-1)),
                impossible(Stored.SEGMENT, segment.toBuilder().setExecutors(0, "nobody")),
                impossible(Stored.SEGMENT, segment.toBuilder().addShards(shard)),
                impossible(
                        Stored.SEGMENT,
                        segment.toBuilder().setShards(0, shard.toBuilder().setOwner(2))),
                impossible(
                        Stored.SEGMENT,
                        segment.toBuilder().setShards(0, shard.toBuilder().setOwner(-1))),
                impossible(
                        Stored.SEGMENT,
                        segment.toBuilder().setShards(0, shard.toBuilder().setEpoch(-1))),
                impossible(
                        Stored.SEGMENT,
                        segment.toBuilder().setShards(0, shard.toBuilder().setEpoch(Long.MAX_VALUE))),
                impossible(
                        Stored.SEGMENT,
                        segment.toBuilder()
                                .setShards(
                                        0, shard.toBuilder().setReleasing(true).setNext(2))),
                impossible(
                        Stored.DRAINS,
                        drains.toBuilder().setShards(0, drain.toBuilder().clearName())),
                impossible(
                        Stored.DRAINS,
                        drains.toBuilder().setHosts(0, drain.toBuilder().clearName())),
                impossible(
                        Stored.DRAINS,
                        drains.toBuilder().setHosts(0, drain.toBuilder().setDrainedBy("x".repeat(1_000)))),
                impossible(Stored.KEPT_EPOCHS, epochs.toBuilder().setName("orders")),
                impossible(Stored.KEPT_EPOCHS, epochs.toBuilder().setHighest(Long.MAX_VALUE)),
                impossible(Stored.KEPT_EPOCHS, epochs.toBuilder().setHighest(-1)));
    }

    private static Arguments impossible(Stored stored, MessageLite.Builder value) {
        return Arguments.of(stored, value.build());
    }

    @ParameterizedTest
    @MethodSource("eachImpossibleValue")
    void anImpossibleValueRefusesTheStartIsNamedAndLeftAsItIs(Stored stored, MessageLite value) {
        Cluster cluster = stored.cluster();
        refused(cluster, stored.in(cluster).key(), value.toByteArray());
    }

    private static String refused(Cluster cluster, Bytes key, byte[] value) {
        put(cluster, key, Bytes.of(value));
        List<KeyValue> before = state(cluster);
        cluster.start(List.of());
        ControlPlane.Started.Refused refused =
                assertInstanceOf(ControlPlane.Started.Refused.class, cluster.starts.getLast());
        String message = refused.message();
        assertTrue(message.contains(key.toString()), message);
        assertTrue(message.contains("restore it from a backup"), message);
        assertEquals(before, state(cluster));
        return message;
    }

    /** Not every flipped bit can be seen, but none ends in anything but a start or a refusal that says where. */
    @ParameterizedTest
    @EnumSource
    void anyFlippedBitIsRefusedOrHarmless(Stored stored) {
        Cluster first = stored.cluster();
        int bits = stored.in(first).value().toByteArray().length * 8;
        int refusals = 0;
        for (int bit = 0; bit < bits; bit++) {
            Cluster cluster = stored.cluster();
            KeyValue kv = stored.in(cluster);
            put(cluster, kv.key(), Bytes.of(flipped(kv.value().toByteArray(), bit)));
            List<KeyValue> before = state(cluster);
            cluster.start(List.of());
            String where = "bit " + bit + " of " + stored + ": " + cluster.starts;
            assertEquals(2, cluster.starts.size(), where);
            if (cluster.starts.getLast() instanceof ControlPlane.Started.Refused(String message)) {
                refusals++;
                // Segments are read as their namespace says, so a false namespace can show in them.
                assertTrue(message.contains("/shardwright/state/") || message.contains("namespace orders"), where);
                assertEquals(before, state(cluster), where);
            }
        }
        assertTrue(refusals > bits / 8, refusals + " of " + bits);
    }

    @ParameterizedTest
    @EnumSource
    void anUndamagedCopyStarts(Stored stored) {
        Cluster cluster = stored.cluster();
        KeyValue kv = stored.in(cluster);
        put(cluster, kv.key(), kv.value());
        cluster.start(List.of());
        assertInstanceOf(ControlPlane.Started.Ready.class, cluster.starts.getLast());
    }

    private static byte[] flipped(byte[] value, int bit) {
        byte[] flipped = value.clone();
        flipped[bit / 8] ^= (byte) (1 << bit % 8);
        return flipped;
    }

    private static void put(Cluster cluster, Bytes key, Bytes value) {
        cluster.store.byHand(new Txn.Op.Put(key, value, 0));
        cluster.time.runUntilIdle();
    }

    private static List<KeyValue> state(Cluster cluster) {
        List<KeyValue> all = new ArrayList<>();
        cluster.store.range(RangeRequest.of(STATE), outcome -> {
            if (outcome instanceof Outcome.Success<RangeResponse>(RangeResponse range)) {
                all.addAll(range.kvs());
            }
        });
        cluster.time.runUntilIdle();
        return all;
    }
}
