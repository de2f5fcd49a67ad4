/** Tests of the dashboard: the feed by itself, and the page in a real browser against a real server. */
@NullMarked
package io.shardwright.server.dashboard;

import org.jspecify.annotations.NullMarked;
