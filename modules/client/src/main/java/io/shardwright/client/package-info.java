/**
 * What applications embed: the executor and spectator clients and the fenced writers.
 *
 * <p>Not here: server code.
 */
@NullMarked
package io.shardwright.client;

import org.jspecify.annotations.NullMarked;
