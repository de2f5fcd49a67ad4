/**
 * Explains a run: what a recorder heard of it, as a short log, as a space-time diagram, as a comparison of what is
 * stored with what runs, and as JSON lines.
 *
 * <p>Not here: running and judging. Reads and writes files, unlike the rest of the simulator. Start with
 * {@link io.shardwright.sim.report.Recorder} and {@link io.shardwright.sim.report.Artefacts}.
 */
@NullMarked
package io.shardwright.sim.report;

import org.jspecify.annotations.NullMarked;
