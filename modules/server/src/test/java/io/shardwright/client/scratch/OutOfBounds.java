package io.shardwright.client.scratch;

import io.shardwright.control.Claim;

/** Breaks the rules of a client, so that the tests of the rules can show that they would see it. */
final class OutOfBounds {

    private OutOfBounds() {}

    static void show(Claim claim) {
        System.out.println(claim);
    }
}
