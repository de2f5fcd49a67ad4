package io.shardwright.server.config;

/** What one store transaction may hold, so that etcd's own limits are never met. */
public record StoreLimits(int maxTxnOperations, int maxRequestBytes) {}
