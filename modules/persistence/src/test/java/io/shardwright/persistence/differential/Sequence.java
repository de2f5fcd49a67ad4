package io.shardwright.persistence.differential;

import java.util.List;

/** What jqwik draws and shrinks; how it ran is in the message of the failure. */
record Sequence(List<Command> commands) {

    Sequence {
        commands = List.copyOf(commands);
    }

    @Override
    public String toString() {
        return commands.size() + " commands";
    }
}
