/**
 * Leadership on the Store port: campaign queue, duplicate-address rule, version hand-over, own-address check.
 *
 * <p>Not here: what a leader decides.
 */
@NullMarked
package io.shardwright.election;

import org.jspecify.annotations.NullMarked;
