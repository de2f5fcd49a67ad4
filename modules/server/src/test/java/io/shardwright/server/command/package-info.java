/** Shows what the command line prints and how it exits. */
@NullMarked
package io.shardwright.server.command;

import org.jspecify.annotations.NullMarked;
