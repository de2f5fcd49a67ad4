package io.shardwright.client.fence;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** A process that owns shard 7 at epoch 1 and writes a line whenever it is told to, until its fence refuses. */
final class OldOwner {

    private OldOwner() {}

    public static void main(String[] args) throws Exception {
        try (FencedStorage storage = FencedStorage.connect(args[0], "e1/old")) {
            storage.open("7", 1);
            System.out.println("open");
            BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            while (commands.readLine() != null) {
                try {
                    storage.write("7", 1);
                    System.out.println("written");
                } catch (StaleEpochException e) {
                    System.out.println("refused");
                }
            }
        }
    }
}
