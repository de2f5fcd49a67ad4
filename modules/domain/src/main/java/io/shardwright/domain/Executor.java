package io.shardwright.domain;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is stored of an executor. Its lease is not: renewals write nothing.
 *
 * @param id identity that it chose
 * @param processId random identity of its process; tells two processes under one id apart
 * @param address where the application serves its shards; empty: not said
 * @param host name of its machine; empty: not said
 * @param labels free-form, sorted by name
 * @param status whether it may get shards
 */
public record Executor(
        ExecutorId id, String processId, String address, String host, SortedMap<String, String> labels, Status status) {

    private static final int MAX_PROCESS_ID = 64;
    private static final int MAX_ADDRESS = 512;
    private static final int MAX_HOST = 128;
    private static final int MAX_LABELS = 32;
    private static final int MAX_LABEL_NAME = 128;
    private static final int MAX_LABEL_VALUE = 4096;

    /**
     * Checks the fields.
     *
     * @throws InvalidField when one breaks its rule
     */
    public Executor {
        if (processId.isEmpty()) {
            throw new InvalidField("process_id", processId, "must not be empty");
        }
        InvalidField.requireText("process_id", processId, MAX_PROCESS_ID);
        InvalidField.requireText("address", address, MAX_ADDRESS);
        InvalidField.requireText("host", host, MAX_HOST);
        if (labels.size() > MAX_LABELS) {
            throw new InvalidField("labels", labels.size() + " entries", "must be at most " + MAX_LABELS);
        }
        labels.forEach((name, value) -> {
            if (name.isEmpty()) {
                throw new InvalidField("labels.key", name, "must not be empty");
            }
            InvalidField.requireText("labels.key", name, MAX_LABEL_NAME);
            InvalidField.requireText("labels." + InvalidField.printable(name), value, MAX_LABEL_VALUE);
        });
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    }

    /** Returns this executor with another status. */
    public Executor withStatus(Status status) {
        return new Executor(id, processId, address, host, labels, status);
    }

    /** Whether an executor may get shards. */
    public enum Status {
        /** It may. */
        ACTIVE,
        /** It hands its shards over and then goes. */
        LEAVING
    }
}
