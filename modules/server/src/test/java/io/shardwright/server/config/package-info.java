/** Shows every way in which a configuration is read, refused, displayed and documented. */
@NullMarked
package io.shardwright.server.config;

import org.jspecify.annotations.NullMarked;
