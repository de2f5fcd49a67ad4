package io.shardwright.cli;

import picocli.CommandLine.Command;

/** The group of commands about namespaces. */
@Command(
        name = "namespace",
        aliases = "ns",
        description = "Lists, creates, describes and deletes namespaces.",
        footer = {"Examples:", "  shardctl namespace list", "  shardctl ns describe orders"})
final class NamespaceCommand {}
