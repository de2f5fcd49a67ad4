package io.shardwright.sim.report;

import io.shardwright.sim.plan.Plan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The files that explain one run. */
public final class Artefacts {

    /** The aligned log. */
    public static final String LOG = "log.txt";

    /** The space-time diagram. */
    public static final String DIAGRAM = "diagram.html";

    /** What is stored next to what runs. */
    public static final String LEDGER = "ledger.txt";

    /** Everything, for programs. */
    public static final String TRACE = "trace.jsonl";

    private Artefacts() {}

    /**
     * Writes the files into a directory, which is created.
     *
     * @return the files that people read, in the order in which they should
     */
    public static List<Path> write(Path directory, Plan plan, Recorder recorder, String title) throws IOException {
        Files.createDirectories(directory);
        History history = recorder.history();
        return List.of(
                Files.writeString(directory.resolve(DIAGRAM), Diagram.of(plan, history, title)),
                Files.writeString(directory.resolve(LOG), ShortLog.of(plan, history)),
                Files.writeString(directory.resolve(LEDGER), LedgerDiff.of(history)),
                Files.writeString(directory.resolve(TRACE), JsonLines.of(history)));
    }
}
