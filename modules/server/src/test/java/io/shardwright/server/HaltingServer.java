package io.shardwright.server;

import io.shardwright.domain.Outcome;
import io.shardwright.persistence.ForwardingStore;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.Txn;
import io.shardwright.persistence.TxnResponse;
import io.shardwright.server.config.ConfigInputs;
import io.shardwright.server.config.ConfigLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A server that dies at the worst moment: after a change is committed and before anybody hears of it.
 *
 * <p>Arguments: a file, a number, then settings {@code key=value}. From the moment the file exists, the process halts
 * with {@link #HALTED} at the answer to that many further changes of state.
 */
final class HaltingServer {

    /** Exit code that nothing else here has. */
    static final int HALTED = 77;

    private HaltingServer() {}

    @SuppressWarnings("SystemOut")
    public static void main(String[] args) throws Exception {
        Path armed = Path.of(args[0]);
        int changes = Integer.parseInt(args[1]);
        List<ConfigInputs.Flag> flags = List.of(args).subList(2, args.length).stream()
                .map(setting -> setting.split("=", 2))
                .map(setting -> new ConfigInputs.Flag("--set", setting[0], setting[1]))
                .toList();
        Server server = Server.start(
                ConfigLoader.load(new ConfigInputs(flags, Map.of(), Optional.empty(), Path.of("."))),
                (config, clock, loop, closers) ->
                        new HaltingStore(Parts.openStore(config, clock, loop, closers), armed, changes));
        System.out.println("ready grpc=" + server.grpcPort());
        server.failed().join();
    }

    private static final class HaltingStore extends ForwardingStore {

        private final Path armed;
        private int left;

        HaltingStore(Store store, Path armed, int changes) {
            super(store);
            this.armed = armed;
            this.left = changes;
        }

        @Override
        public void txn(Txn txn, Consumer<Outcome<TxnResponse>> answer) {
            super.txn(txn, outcome -> {
                boolean changed =
                        outcome instanceof Outcome.Success<TxnResponse>(TxnResponse response) && response.succeeded();
                if (changed && Files.exists(armed) && --left == 0) {
                    Runtime.getRuntime().halt(HALTED); // no hook runs and nothing is flushed, as with SIGKILL
                }
                answer.accept(outcome);
            });
        }
    }
}
