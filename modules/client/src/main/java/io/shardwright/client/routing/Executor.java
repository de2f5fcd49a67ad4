package io.shardwright.client.routing;

import io.shardwright.proto.v1.ExecutorInfo;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * An executor as routers need it.
 *
 * @param id its identity in the namespace
 * @param address where it serves its shards; empty when it gave none
 * @param host its machine; empty when it gave none
 * @param labels free-form labels, sorted by key
 */
public record Executor(String id, String address, String host, SortedMap<String, String> labels) {

    /** Reads the wire form. */
    public static Executor of(ExecutorInfo info) {
        TreeMap<String, String> labels = new TreeMap<>();
        info.getLabelsList().forEach(label -> labels.put(label.getKey(), label.getValue()));
        return new Executor(
                info.getExecutorId(), info.getAddress(), info.getHost(), Collections.unmodifiableSortedMap(labels));
    }

    /** An executor of which only the id is known. */
    static Executor unknown(String id) {
        return new Executor(id, "", "", Collections.emptySortedMap());
    }
}
