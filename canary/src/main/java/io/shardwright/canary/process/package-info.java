/**
 * Java processes that the canary and the demo start, watch, stop and kill, and that never outlive their parent. Start
 * with {@link JavaProcess}.
 */
@NullMarked
package io.shardwright.canary.process;

import org.jspecify.annotations.NullMarked;
