/**
 * gRPC services and the HTTP side: redirects, health, metrics, dashboard. It translates between wire and control.
 *
 * <p>Not here: decisions: those are made in {@code control} and {@code domain}.
 */
@NullMarked
package io.shardwright.rpc;

import org.jspecify.annotations.NullMarked;
