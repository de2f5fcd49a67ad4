package io.shardwright.server;

import io.helidon.logging.common.spi.LoggingProvider;

/**
 * Tells Helidon that logging needs nothing of it: it goes to {@code java.util.logging}, which the program sets up
 * before anything else. Without one, Helidon prints at each start that there is none. Public for the service loader.
 */
public final class HelidonLogging implements LoggingProvider {

    @Override
    public void initialization() {}

    @Override
    public void runTime() {}
}
