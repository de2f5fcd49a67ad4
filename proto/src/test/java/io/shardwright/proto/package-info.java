/** The wire API's own tests: every element is commented, and the reference page says what the files say. */
@NullMarked
package io.shardwright.proto;

import org.jspecify.annotations.NullMarked;
