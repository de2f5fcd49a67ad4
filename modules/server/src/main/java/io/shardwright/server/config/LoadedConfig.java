package io.shardwright.server.config;

/** A valid configuration, and the same for people: each value with its source. */
public record LoadedConfig(ServerConfig config, EffectiveConfig effective) {}
