/**
 * The Store port, an etcd-shaped key-value interface; its adapters live in sub-packages named after their technology.
 *
 * <p>Not here: any knowledge of shards or executors.
 */
@NullMarked
package io.shardwright.persistence;

import org.jspecify.annotations.NullMarked;
