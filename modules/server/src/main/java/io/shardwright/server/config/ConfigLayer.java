package io.shardwright.server.config;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** What one source gives, by key. Every key is a known one: the reader of the source has refused all others. */
record ConfigLayer(String name, SortedMap<String, Given> values) {
    ConfigLayer {
        values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
    }
}
