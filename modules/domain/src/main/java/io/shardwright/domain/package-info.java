/**
 * Pure decisions of the shard manager: shard table, leases, balancers, drains, handoff, quotas, version order.
 *
 * <p>Not here: what does I/O, reads a clock, draws random numbers or starts threads. Those come in through the ports of
 * this package.
 */
@NullMarked
package io.shardwright.domain;

import org.jspecify.annotations.NullMarked;
