package io.shardwright.server.config;

/**
 * A value as one source gives it.
 *
 * @param text its text; a list is given as JSON text
 * @param origin what a person needs to find it: {@code shardwright.yaml:12}, {@code environment SHARDWRIGHT__A__B},
 *     {@code --set}
 */
record Given(String text, String origin) {}
