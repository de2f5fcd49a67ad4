/**
 * Configuration, wiring and main: the only module that sees all others.
 *
 * <p>Not here: logic: a class that decides something belongs to an inner module.
 */
@NullMarked
package io.shardwright.server;

import org.jspecify.annotations.NullMarked;
