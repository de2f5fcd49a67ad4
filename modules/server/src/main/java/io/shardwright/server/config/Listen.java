package io.shardwright.server.config;

/** An address to listen on. Port 0 takes any free one. */
public record Listen(String bindAddress, int port) {}
