package io.shardwright.cli;

import picocli.CommandLine.Command;

/** The group of commands about shards. */
@Command(
        name = "shard",
        aliases = "sh",
        description = "Shows shards of a namespace.",
        footer = {
            "Examples:",
            "  shardctl shard inspect 17 -n orders",
            "  shardctl sh inspect customer-42 -n sessions -o json"
        })
final class ShardCommand {}
