/**
 * What commands print: tables for people, JSON for programs, both safe on a terminal whatever a server sends.
 *
 * <p>Start reading at {@link io.shardwright.cli.output.Table} and {@link io.shardwright.cli.output.JsonFields}. Not
 * here: the decision what is shown, which each command makes.
 */
@NullMarked
package io.shardwright.cli.output;

import org.jspecify.annotations.NullMarked;
