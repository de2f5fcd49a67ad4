package io.shardwright.cli;

import picocli.CommandLine.Command;

/** The group of commands about executors. */
@Command(
        name = "executor",
        aliases = "ex",
        description = "Lists and describes the executors of a namespace, and drains their hosts.",
        footer = {"Examples:", "  shardctl executor list -n orders", "  shardctl ex drain host-7 -n orders"})
final class ExecutorCommand {}
