package io.shardwright.cli;

import picocli.CommandLine.Command;

/** The group of commands about executors. */
@Command(
        name = "executor",
        aliases = "ex",
        description = "Lists and describes the executors of a namespace.",
        footer = {"Examples:", "  shardctl executor list -n orders", "  shardctl ex describe worker-1 -n orders"})
final class ExecutorCommand {}
