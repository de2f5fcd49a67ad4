/**
 * The Store in memory: the reference that the other adapters are held against, the store of the simulator, and
 * {@code --store memory}.
 *
 * <p>Not here: the engine; it is in {@code io.shardwright.persistence.mvcc}.
 */
@NullMarked
package io.shardwright.persistence.memory;

import org.jspecify.annotations.NullMarked;
