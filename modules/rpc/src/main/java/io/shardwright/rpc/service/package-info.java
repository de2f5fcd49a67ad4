/**
 * The three gRPC services of {@code shardwright.v1}. Each call is checked by the domain's own types, handed to
 * {@link io.shardwright.control.ControlPlane}, and its answer written down in wire form.
 *
 * <p>Here: {@link io.shardwright.rpc.service.ExecutorGrpc}, {@link io.shardwright.rpc.service.SpectatorGrpc} and
 * {@link io.shardwright.rpc.service.AdminGrpc}; {@link io.shardwright.rpc.service.Refusals}, the one place where a
 * refusal becomes a status; {@link io.shardwright.rpc.service.StreamPump}, which writes streams without ever holding up
 * the event loop; {@code RoutingFeed}, which computes each change of a routing table once for all who watch it.
 *
 * <p>Not here: decisions, and how bytes travel ({@code rpc.transport}).
 *
 * <p>Start reading at {@link io.shardwright.rpc.service.ExecutorGrpc}.
 */
@NullMarked
package io.shardwright.rpc.service;

import org.jspecify.annotations.NullMarked;
