/**
 * JMH benchmarks and side-by-side comparisons.
 *
 * <p>Not here: anything that production code depends on.
 */
@NullMarked
package io.shardwright.bench;

import org.jspecify.annotations.NullMarked;
