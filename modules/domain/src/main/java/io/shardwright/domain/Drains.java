package io.shardwright.domain;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is kept free of work in a namespace until somebody takes it back. Immutable.
 *
 * <p>A drained shard is taken from its owner and given to nobody. The executors on a drained host hand their shards
 * over as if they left, and get none; where nobody else could take their shards, they keep what they have, because
 * running in the wrong place beats not running.
 *
 * @param shards drained shards; they need not exist
 * @param hosts drained hosts, as executors name them when they register; no executor need run there
 */
public record Drains(SortedMap<ShardKey, Drain> shards, SortedMap<String, Drain> hosts) {

    /** Nothing is drained. */
    public static final Drains NONE = new Drains(new TreeMap<>(), new TreeMap<>());

    private static final int MAX_SHARDS = 10_000;
    private static final int MAX_HOSTS = 1_000;
    private static final int MAX_HOST = 128;

    /**
     * Checks the fields.
     *
     * @throws InvalidField when one breaks its rule
     */
    public Drains {
        if (shards.size() > MAX_SHARDS) {
            throw new InvalidField("shard_keys", shards.size() + " drained shards", "must be at most " + MAX_SHARDS);
        }
        if (hosts.size() > MAX_HOSTS) {
            throw new InvalidField("hosts", hosts.size() + " drained hosts", "must be at most " + MAX_HOSTS);
        }
        hosts.keySet().forEach(Drains::requireHost);
        shards = Collections.unmodifiableSortedMap(new TreeMap<>(shards));
        hosts = Collections.unmodifiableSortedMap(new TreeMap<>(hosts));
    }

    /**
     * Checks the name of a host.
     *
     * @throws InvalidField when it breaks its rule
     */
    public static void requireHost(String host) {
        if (host.isEmpty()) {
            throw new InvalidField("hosts", host, "must not be empty");
        }
        InvalidField.requireText("hosts", host, MAX_HOST);
    }

    /** Tells whether a shard must have no owner. */
    public boolean drained(ShardKey shard) {
        return shards.containsKey(shard);
    }

    /** Tells whether an executor runs on a drained host. */
    public boolean drained(Executor executor) {
        return hosts.containsKey(executor.host());
    }

    /** Returns the shard keys and hosts that are drained here and not there, shards first. */
    public List<String> without(Drains other) {
        List<String> names = new ArrayList<>();
        shards.keySet().stream().filter(key -> !other.drained(key)).forEach(key -> names.add(key.value()));
        hosts.keySet().stream().filter(host -> !other.hosts.containsKey(host)).forEach(names::add);
        return names;
    }

    /** Returns these drains and those of more shards. Where one is drained already, its first drain stays. */
    public Drains withShards(Collection<ShardKey> keys, Drain drain) {
        TreeMap<ShardKey, Drain> more = new TreeMap<>(shards);
        keys.forEach(key -> more.putIfAbsent(key, drain));
        return new Drains(more, hosts);
    }

    /** Returns these drains without those of some shards. */
    public Drains withoutShards(Collection<ShardKey> keys) {
        TreeMap<ShardKey, Drain> fewer = new TreeMap<>(shards);
        keys.forEach(fewer::remove);
        return new Drains(fewer, hosts);
    }

    /** Returns these drains and those of more hosts. Where one is drained already, its first drain stays. */
    public Drains withHosts(Collection<String> names, Drain drain) {
        TreeMap<String, Drain> more = new TreeMap<>(hosts);
        names.forEach(name -> more.putIfAbsent(name, drain));
        return new Drains(shards, more);
    }

    /** Returns these drains without those of some hosts. */
    public Drains withoutHosts(Collection<String> names) {
        TreeMap<String, Drain> fewer = new TreeMap<>(hosts);
        names.forEach(fewer::remove);
        return new Drains(shards, fewer);
    }
}
