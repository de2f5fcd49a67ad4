/**
 * What a server is told to be: one declaration per key, read from flags, environment and {@code shardwright.yaml}.
 *
 * <p>Start reading at {@link io.shardwright.server.config.ConfigKeys} (every key that exists) and
 * {@link io.shardwright.server.config.ConfigLoader} (how the sources become a
 * {@link io.shardwright.server.config.ServerConfig}, or a list of every fault). The reference page and the sample files
 * in {@code docs/} are written from the same declarations.
 *
 * <p>Not here: opening stores or ports, and the command line itself.
 */
@NullMarked
package io.shardwright.server.config;

import org.jspecify.annotations.NullMarked;
