/**
 * One canary executor: a process on the client library whose shards answer pings. Start with {@link CanaryExecutor}.
 */
@NullMarked
package io.shardwright.canary.executor;

import org.jspecify.annotations.NullMarked;
