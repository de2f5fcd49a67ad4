/**
 * Asks executors about shards, as routers do, and collects what their answers say. Start with {@link Pinger}; what was
 * found is in {@link Findings}.
 */
@NullMarked
package io.shardwright.canary.ping;

import org.jspecify.annotations.NullMarked;
