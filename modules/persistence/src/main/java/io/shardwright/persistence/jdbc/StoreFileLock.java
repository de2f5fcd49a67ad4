package io.shardwright.persistence.jdbc;

import io.shardwright.persistence.jdbc.StoreOpenException.Reason;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The right to use a SQLite store: operating-system locks, which end with the process however it ends.
 *
 * <p>One is on a file beside the store, which stays; a file without a lock means nothing. It holds the process id of
 * the last owner, for messages. The other is on the database itself, at a byte far behind those that SQLite locks: a
 * hard link gives the database a second name, and so a second file beside it, but not a second database.
 */
final class StoreFileLock implements AutoCloseable {

    private static final Logger LOG = System.getLogger(StoreFileLock.class.getName());

    /** SQLite locks 512 bytes from 2^30 on; the file of a store never gets this long. */
    private static final long DATABASE_LOCK_BYTE = 1L << 62;

    /**
     * Lock files and databases (by their identity on the disk) that this process has open. On POSIX systems closing
     * <em>any</em> channel of a file gives up all locks of the process on it, so a second open of the same store must
     * be refused before it touches the file.
     */
    private static final Set<Object> OPEN_HERE = ConcurrentHashMap.newKeySet();

    private final JdbcTarget.Sqlite target;
    private final List<Object> taken = new ArrayList<>();
    private final List<FileChannel> channels = new ArrayList<>();
    private @Nullable FileChannel database;
    private @Nullable FileLock databaseLock;

    private StoreFileLock(JdbcTarget.Sqlite target) {
        this.target = target;
    }

    static StoreFileLock acquire(JdbcTarget.Sqlite target) {
        StoreFileLock lock = new StoreFileLock(target);
        boolean locked = false;
        Path path = lockFile(target);
        try {
            lock.lockBeside(path);
            lock.lockDatabase(target.file());
            locked = true;
            return lock;
        } catch (IOException e) {
            throw new StoreOpenException(
                    Reason.UNREACHABLE,
                    target.displayName() + ": it or its lock file " + path + " cannot be used: " + e
                            + "; check the path, its permissions and the free space",
                    e);
        } finally {
            if (!locked) {
                lock.close();
            }
        }
    }

    private void lockBeside(Path path) throws IOException {
        take(path);
        FileChannel channel = open(path);
        @Nullable FileLock lock = channel.tryLock();
        if (lock == null) {
            String owner = Files.readString(path).strip();
            throw inUse(target, owner.isEmpty() ? "another process" : "process " + owner);
        }
        channel.truncate(0);
        channel.write(ByteBuffer.wrap((ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.UTF_8)), 0);
    }

    private void lockDatabase(Path file) throws IOException {
        if (!Files.exists(file)) {
            Files.createFile(file); // an empty file is a new database to SQLite
        }
        @Nullable
        Object identity = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        if (identity != null) {
            take(identity);
        }
        database = open(file);
        databaseLock = lockByte(database);
    }

    /**
     * Locks the database once more. SQLite gives up all locks of its process on the file until its connection has read
     * in write-ahead mode; from then on it keeps its own, and ours, until it closes. Two processes that came this far
     * at once have only read.
     */
    void lockOpenedDatabase() throws IOException {
        if (database != null && databaseLock != null) {
            databaseLock.release();
            databaseLock = lockByte(database);
        }
    }

    private FileLock lockByte(FileChannel channel) throws IOException {
        @Nullable FileLock lock = channel.tryLock(DATABASE_LOCK_BYTE, 1, false);
        if (lock == null) {
            throw inUse(target, "another process, which has the same file open under another name (a hard link)");
        }
        return lock;
    }

    private void take(Object what) {
        if (!OPEN_HERE.add(what)) {
            throw inUse(target, "this process");
        }
        taken.add(what);
    }

    private FileChannel open(Path path) throws IOException {
        FileChannel channel =
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        channels.add(channel);
        return channel;
    }

    /** Follows links, so that two names of one store have one lock. */
    private static Path lockFile(JdbcTarget.Sqlite target) {
        Path file = target.file();
        try {
            Path directory = file.getParent();
            if (directory != null && !Files.exists(directory)) {
                Files.createDirectories(directory);
            }
            Path real = Files.exists(file)
                    ? file.toRealPath()
                    : directory == null ? file : directory.toRealPath().resolve(file.getFileName());
            return real.resolveSibling(real.getFileName() + ".lock");
        } catch (IOException e) {
            throw new StoreOpenException(
                    Reason.UNREACHABLE,
                    target.displayName() + ": its directory cannot be used: " + e
                            + "; create it, or check its permissions",
                    e);
        }
    }

    private static StoreOpenException inUse(JdbcTarget.Sqlite target, String owner) {
        return new StoreOpenException(
                Reason.IN_USE,
                target.displayName() + " is in use by " + owner
                        + "; one server uses a store at a time: stop that server, or give this one another file");
    }

    @Override
    public void close() {
        for (FileChannel channel : channels) {
            try {
                channel.close();
            } catch (IOException e) {
                LOG.log(Level.WARNING, target.displayName() + ": a lock was not given up; it ends with the process", e);
            }
        }
        taken.forEach(OPEN_HERE::remove);
    }
}
