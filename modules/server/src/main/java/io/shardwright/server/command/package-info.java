/**
 * The command line of {@code shardwright}: one class per command, thin. Start reading at
 * {@link io.shardwright.server.command.ShardwrightCommand}; a new command is a class here and one line there.
 *
 * <p>Not here: what a command does. It reads its options, calls one thing and turns the result into an exit code.
 */
@NullMarked
package io.shardwright.server.command;

import org.jspecify.annotations.NullMarked;
