/** Tests of the canary's commands. */
@NullMarked
package io.shardwright.canary;

import org.jspecify.annotations.NullMarked;
