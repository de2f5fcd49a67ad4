/**
 * Shared support for tests: real etcd processes and a virtual-time event loop.
 *
 * <p>Not here: production code; only tests and benchmarks depend on this module.
 */
@NullMarked
package io.shardwright.testkit;

import org.jspecify.annotations.NullMarked;
