/**
 * The fake against the real: one drawn sequence of calls runs on the memory store and on a real etcd, and every answer,
 * every kind of refusal and every stream of changes must be the same.
 *
 * <p>Start reading at {@link io.shardwright.persistence.differential.StoreDifferentialPropertyTest}. A
 * {@link io.shardwright.persistence.differential.Command} is what is drawn,
 * {@link io.shardwright.persistence.differential.Subject} runs it on one store and writes the answer down with
 * revisions and leases that can be compared, {@link io.shardwright.persistence.differential.Comparison} runs it on two.
 *
 * <p>Not here: examples. What this finds becomes one in {@code StoreConformanceTest}, so that it runs on every adapter.
 */
@NullMarked
package io.shardwright.persistence.differential;

import org.jspecify.annotations.NullMarked;
