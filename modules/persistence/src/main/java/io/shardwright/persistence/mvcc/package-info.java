/**
 * The engine of the embedded stores: versioned keys, history, leases and watches in memory, as etcd v3 has them.
 *
 * <p>Start with {@link io.shardwright.persistence.mvcc.MvccEngine}: pure state and pure steps.
 * {@link io.shardwright.persistence.mvcc.EmbeddedStore} puts the asynchronous Store port in front of it and a
 * {@link io.shardwright.persistence.mvcc.Journal} behind it; the memory and jdbc adapters differ in the journal alone.
 * The simulator wraps the same classes with faults.
 *
 * <p>Not here: clocks, threads, files.
 */
@NullMarked
package io.shardwright.persistence.mvcc;

import org.jspecify.annotations.NullMarked;
