/** Tests of the proofs. */
@NullMarked
package io.shardwright.canary.check;

import org.jspecify.annotations.NullMarked;
