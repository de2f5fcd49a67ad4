/**
 * The HTTP side of a server on Helidon SE: health, readiness, metrics, the configuration in effect, the dashboard page
 * and its live events.
 *
 * <p>Start reading at {@link io.shardwright.server.http.HttpEndpoint}. What is shown comes in through
 * {@link io.shardwright.server.http.Readiness}, {@link io.shardwright.server.http.LiveFeed} and
 * {@link io.shardwright.server.http.Metrics}.
 *
 * <p>Not here: what ready means, what happened, what is counted.
 */
@NullMarked
package io.shardwright.server.http;

import org.jspecify.annotations.NullMarked;
