package io.shardwright.cli;

import picocli.CommandLine.Command;

/** The group of commands about who leads. */
@Command(
        name = "leader",
        description = "Shows which servers lead and wait to lead, and moves leadership.",
        footer = {"Examples:", "  shardctl leader show", "  shardctl leader transfer 10.0.0.7:9002"})
final class LeaderCommand {}
