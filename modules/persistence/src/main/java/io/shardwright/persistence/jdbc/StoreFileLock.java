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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The right to use a SQLite store: an operating-system lock on a file beside it, which ends with the process however it
 * ends.
 *
 * <p>The lock file itself stays; a file without a lock means nothing. It holds the process id of the last owner, for
 * messages.
 */
final class StoreFileLock implements AutoCloseable {

    private static final Logger LOG = System.getLogger(StoreFileLock.class.getName());

    /**
     * Stores that this process has open. On POSIX systems closing <em>any</em> channel of a file gives up all locks of
     * the process on it, so a second open of the same store must be refused before it touches the file.
     */
    private static final Set<Path> OPEN_HERE = ConcurrentHashMap.newKeySet();

    private final Path path;
    private final FileChannel channel;

    private StoreFileLock(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    static StoreFileLock acquire(JdbcTarget.Sqlite target) {
        Path path = lockFile(target);
        if (!OPEN_HERE.add(path)) {
            throw inUse(target, "this process");
        }
        boolean locked = false;
        try {
            FileChannel channel = FileChannel.open(
                    path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            @Nullable FileLock lock = channel.tryLock();
            if (lock == null) {
                String owner = Files.readString(path).strip();
                channel.close();
                throw inUse(target, owner.isEmpty() ? "another process" : "process " + owner);
            }
            channel.truncate(0);
            channel.write(ByteBuffer.wrap((ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.UTF_8)), 0);
            locked = true;
            return new StoreFileLock(path, channel);
        } catch (IOException e) {
            throw new StoreOpenException(
                    Reason.UNREACHABLE,
                    target.displayName() + ": lock file " + path + " cannot be used: " + e
                            + "; check the path, its permissions and the free space",
                    e);
        } finally {
            if (!locked) {
                OPEN_HERE.remove(path);
            }
        }
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
        try {
            channel.close();
        } catch (IOException e) {
            LOG.log(Level.WARNING, "lock file " + path + ": closing failed; the lock ends with the process", e);
        } finally {
            OPEN_HERE.remove(path);
        }
    }
}
