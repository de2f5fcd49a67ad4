package io.shardwright.bench;

import io.shardwright.control.Claim;
import io.shardwright.testkit.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/** Renewals on the event loop of the control plane: one thread, no wire. 1,000 executors with 100 shards each. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH calls the set-up before anything else
public class RenewalBenchmark {

    @Param({"1000"})
    int executors;

    @Param({"100"})
    int shardsEach;

    private final VirtualTime time = new VirtualTime();
    private final List<List<Claim>> claims = new ArrayList<>();
    private Lab lab;
    private int next;
    private long sequence;

    /** Registers everybody. */
    @Setup
    public void open() {
        lab = Lab.on(time, time, time::runUntilIdle, executors, executors * shardsEach);
        lab.sets(executors).forEach(set -> claims.add(Lab.claims(set)));
    }

    /** One renewal whose claims match. */
    @Benchmark
    public void renew(Blackhole answers) {
        if (next == executors) {
            next = 0;
        }
        if (next == 0) {
            sequence++;
        }
        lab.control().renew(Lab.NAMESPACE, Lab.caller(next), sequence, claims.get(next), answers::consume);
        next++;
        time.runUntilIdle();
    }
}
