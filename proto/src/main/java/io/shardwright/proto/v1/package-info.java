/**
 * The wire API {@code shardwright.v1}: messages and stubs that the build generates from {@code src/main/proto}.
 *
 * <p>Start with {@code executor.proto}, {@code spectator.proto} and {@code admin.proto}, where every field is
 * commented; {@code docs/api.md} shows the same as a page. Nothing is written by hand in this package.
 */
package io.shardwright.proto.v1;
