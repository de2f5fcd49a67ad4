package io.shardwright.server.config;

/** The HTTP side: health, metrics, configuration, dashboard. */
public record HttpConfig(boolean enabled, Listen listen) {}
