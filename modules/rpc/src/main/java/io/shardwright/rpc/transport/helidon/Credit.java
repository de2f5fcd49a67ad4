package io.shardwright.rpc.transport.helidon;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How many messages the service has asked for and not got yet. The thread that reads messages waits here, so that the
 * client is held back instead of the memory filled. Thread-safe.
 */
final class Credit {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private long available; // guarded by lock
    private boolean ended; // guarded by lock

    void add(int messages) {
        lock.lock();
        try {
            available += messages;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Nobody will ask for messages again: lets a waiting reader go. */
    void end() {
        lock.lock();
        try {
            ended = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until the service wants a message; false if the call ended instead. */
    boolean take() {
        lock.lock();
        try {
            while (available == 0 && !ended) {
                changed.awaitUninterruptibly();
            }
            if (ended) {
                return false;
            }
            available--;
            return true;
        } finally {
            lock.unlock();
        }
    }
}
