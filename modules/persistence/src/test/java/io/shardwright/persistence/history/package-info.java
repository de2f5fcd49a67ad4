/**
 * What several clients of one store saw at the same time, and whether one order of their writes explains it.
 *
 * <p>Start reading at {@link io.shardwright.persistence.history.HistoryCheck};
 * {@link io.shardwright.persistence.history.ConcurrentHistoryPropertyTest} feeds it with histories of a real etcd, of
 * the memory store with faults around it, and with doctored ones that it must refuse.
 *
 * <p>Not here: single calls; {@code StoreConformanceTest} and the differential test are about those.
 */
@NullMarked
package io.shardwright.persistence.history;

import org.jspecify.annotations.NullMarked;
