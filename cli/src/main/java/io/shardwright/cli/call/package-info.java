/**
 * Calls to the server: where it is, how to reach it, who leads it, and what its errors mean to a person.
 *
 * <p>Start reading at {@link io.shardwright.cli.call.Server}. Not here: what a command shows.
 */
@NullMarked
package io.shardwright.cli.call;

import org.jspecify.annotations.NullMarked;
