package io.shardwright.election;

import io.shardwright.domain.Clock;
import io.shardwright.domain.RandomSource;
import io.shardwright.domain.Scheduler;
import io.shardwright.persistence.Store;

/** What an election gets from around it. */
public record ElectionPorts(Clock clock, Scheduler loop, RandomSource random, Store store) {}
