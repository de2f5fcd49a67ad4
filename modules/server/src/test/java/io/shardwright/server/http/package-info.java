/** Shows the HTTP side through real sockets. */
@NullMarked
package io.shardwright.server.http;

import org.jspecify.annotations.NullMarked;
