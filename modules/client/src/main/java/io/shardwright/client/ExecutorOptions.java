package io.shardwright.client;

import io.shardwright.client.grpc.ConnectionOptions;
import io.shardwright.client.lease.LeaseSettings;
import java.time.Duration;

/** What a builder collected, checked. */
record ExecutorOptions(
        ConnectionOptions connection,
        LeaseSettings lease,
        ProcessorRunner.Setup runnerSetup,
        ExecutorListener listener,
        Duration closeTimeout) {

    String namespace() {
        return lease.identity().getNamespace();
    }

    String executorId() {
        return lease.identity().getExecutorId();
    }

    String processId() {
        return lease.identity().getProcessId();
    }

    String owner() {
        return runnerSetup.owner();
    }

    /** Returns a name for log lines. */
    String who() {
        return "executor " + executorId() + " of " + namespace();
    }
}
