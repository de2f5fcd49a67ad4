/** Checks of the code base itself, kept where every module is visible. */
@NullMarked
package io.shardwright.server.architecture;

import org.jspecify.annotations.NullMarked;
