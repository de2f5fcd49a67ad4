/**
 * The Store in a SQL database: SQLite (one file, the embedded default) and PostgreSQL.
 *
 * <p>Start with {@link io.shardwright.persistence.jdbc.JdbcStore}. The engine of
 * {@code io.shardwright.persistence.mvcc} answers all reads from memory; the database is its journal: every change is
 * committed there before it is answered. One server at a time: a second one is refused.
 *
 * <p>Not here: the meaning of keys; any other use of the database.
 */
@NullMarked
package io.shardwright.persistence.jdbc;

import org.jspecify.annotations.NullMarked;
