package io.shardwright.persistence.jdbc;

import java.nio.file.Path;

/** Which database a store lives in. */
public sealed interface JdbcTarget {

    /** Returns how the store is named in messages; holds no secret. */
    String displayName();

    /** A SQLite database: one file, which is created when it is absent. */
    record Sqlite(Path file) implements JdbcTarget {

        public Sqlite {
            file = file.toAbsolutePath().normalize();
        }

        @Override
        public String displayName() {
            return "SQLite store " + file;
        }
    }

    /**
     * A PostgreSQL database.
     *
     * @param url {@code jdbc:postgresql://host:port/database}, with {@code ?currentSchema=...} for one of several
     *     stores in a database
     * @param password empty: none is sent
     */
    record PostgreSql(String url, String user, String password) implements JdbcTarget {

        public PostgreSql {
            if (!url.startsWith("jdbc:postgresql:")) {
                throw new IllegalArgumentException(
                        "url of a PostgreSQL store must begin with jdbc:postgresql:; give jdbc:postgresql://host:port/database");
            }
        }

        @Override
        public String displayName() {
            int query = url.indexOf('?');
            return "PostgreSQL store " + (query < 0 ? url : url.substring(0, query)).replaceAll("//[^/@]*@", "//");
        }

        @Override
        public String toString() {
            return displayName() + " as " + user;
        }
    }
}
