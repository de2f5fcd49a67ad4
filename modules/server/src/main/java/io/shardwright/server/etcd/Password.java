package io.shardwright.server.etcd;

import io.shardwright.server.config.PersistenceConfig.Login;
import io.shardwright.server.config.Secret;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.function.Supplier;

/** The password as its file holds it at a login, so that a changed one is taken without a restart (B3). */
final class Password implements Supplier<String> {

    private static final Logger LOG = System.getLogger("shardwright");

    private final Login login;

    Password(Login login) {
        this.login = login;
    }

    @Override
    public String get() {
        if (login.file().isEmpty()) {
            return login.password().reveal();
        }
        try {
            return Secret.read(login.file().get()).reveal();
        } catch (IOException e) {
            LOG.log(
                    Level.WARNING,
                    "persistence.etcd.password-file = {0} cannot be read; its content at the start is used: {1}",
                    login.file().get(),
                    e.toString());
            return login.password().reveal();
        }
    }
}
