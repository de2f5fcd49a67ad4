/**
 * A small application on the client library that checks a running cluster from the outside, as its users see it.
 *
 * <p>Not here: access to server internals.
 */
@NullMarked
package io.shardwright.canary;

import org.jspecify.annotations.NullMarked;
