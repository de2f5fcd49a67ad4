/**
 * {@code shardctl}, the operator command line: one class for each command.
 *
 * <p>Start reading at {@link Shardctl}, which lists all commands and options. {@code call} reaches the server and
 * explains its errors, {@code output} draws tables and JSON, {@code watch} follows the routing table.
 *
 * <p>Not here: server code and decisions; it speaks the wire API only. The command classes touch gRPC only when they
 * run, so that help, completion and version answer without loading it.
 */
@NullMarked
package io.shardwright.cli;

import org.jspecify.annotations.NullMarked;
