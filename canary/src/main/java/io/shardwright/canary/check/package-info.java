/**
 * What the canary proves from answers alone: who owned a shard when, and for how long nobody did. Pure: no clock, no
 * threads, no I/O; times are nanoseconds of the asking process. Start with {@link OwnershipHistory}.
 */
@NullMarked
package io.shardwright.canary.check;

import org.jspecify.annotations.NullMarked;
