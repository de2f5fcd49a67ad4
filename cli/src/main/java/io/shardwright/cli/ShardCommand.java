package io.shardwright.cli;

import picocli.CommandLine.Command;

/** The group of commands about shards. */
@Command(
        name = "shard",
        aliases = "sh",
        description = "Shows and drains shards of a namespace.",
        footer = {
            "Examples:",
            "  shardctl shard inspect 17 -n orders",
            "  shardctl shard drain 17 -n orders --reason 'data is being repaired'"
        })
final class ShardCommand {}
