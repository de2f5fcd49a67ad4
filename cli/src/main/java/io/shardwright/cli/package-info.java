/**
 * {@code shardctl}, the operator command line: one class for each command.
 *
 * <p>Not here: server code; it speaks the wire API only.
 */
@NullMarked
package io.shardwright.cli;

import org.jspecify.annotations.NullMarked;
