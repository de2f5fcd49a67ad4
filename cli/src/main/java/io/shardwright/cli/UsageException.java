package io.shardwright.cli;

/** The command line asks for something impossible; the message is a sentence for the user. */
final class UsageException extends RuntimeException {
    UsageException(String message) {
        super(message);
    }
}
