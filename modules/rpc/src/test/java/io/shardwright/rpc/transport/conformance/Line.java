package io.shardwright.rpc.transport.conformance;

import io.shardwright.rpc.transport.GrpcTransport;

/**
 * One promise of a transport.
 *
 * @param id stable name, used in {@code known-red.txt}
 * @param claim a sentence about what holds
 * @param check throws if it does not hold
 */
record Line(String id, String claim, Check check) {

    /** Puts a transport to the test, with an endpoint of its own. */
    @FunctionalInterface
    interface Check {
        void on(GrpcTransport transport) throws Exception;
    }
}
