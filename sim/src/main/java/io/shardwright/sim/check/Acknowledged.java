package io.shardwright.sim.check;

import io.shardwright.control.stored.v1.StoredExecutor;
import io.shardwright.proto.v1.RegisterResponse;
import io.shardwright.proto.v1.RenewRequest;
import io.shardwright.proto.v1.RenewResponse;
import java.util.Optional;
import java.util.TreeMap;

/**
 * S6 for registrations: what was acknowledged is stored, and stays until the executor leaves or its lease ended by its
 * own clock.
 */
final class Acknowledged implements Invariant {

    /** What an executor process may rely on: its lease, counted as the contract says. */
    private record Lease(String machine, long until, boolean leaving) {}

    private final double drift;
    private final TreeMap<String, Lease> leases = new TreeMap<>(); // by executor id and process id

    Acknowledged(double drift) {
        this.drift = drift;
    }

    @Override
    public String id() {
        return "S6";
    }

    @Override
    public String statement() {
        return "an acknowledged registration is stored, and stays until the executor leaves or its lease ends";
    }

    @Override
    public void registered(World.Executor executor, ExecutorCall call, RegisterResponse answer, World world) {
        Optional<StoredExecutor> stored =
                Optional.ofNullable(world.ledger().executors().get(executor.namespace() + "/" + executor.executorId()));
        boolean present = stored.map(record -> executor.owner().equals(record.getId() + "/" + record.getProcessId()))
                .orElse(false);
        // A late answer may find the record gone again; that is known only if the lease it gives still runs.
        boolean runs = leaseEnd(call, answer.getLeaseMillis()) - executor.clock() > 0;
        if (!present
                && runs
                && !leases.getOrDefault(executor.owner(), new Lease("", 0, false))
                        .leaving()) {
            world.violated(
                    this,
                    executor.owner() + " was registered, but "
                            + stored.map(StoredExecutor::getProcessId)
                                    .map(process -> "process " + process)
                                    .orElse("nothing")
                            + " is stored under its id");
        }
        extend(executor, call, answer.getLeaseMillis());
    }

    @Override
    public void renewed(
            World.Executor executor, ExecutorCall call, RenewRequest request, RenewResponse answer, World world) {
        extend(executor, call, answer.getLeaseMillis());
    }

    @Override
    public void leaving(World.Executor executor, World world) {
        leases.put(executor.owner(), new Lease(executor.machine(), 0, true));
    }

    private long leaseEnd(ExecutorCall call, long leaseMillis) {
        return call.sentAt() + (long) (leaseMillis * 1_000_000L * (1 - drift));
    }

    private void extend(World.Executor executor, ExecutorCall call, long leaseMillis) {
        long end = leaseEnd(call, leaseMillis);
        Lease old = leases.get(executor.owner());
        if (old == null || (!old.leaving() && end - old.until() > 0)) {
            leases.put(executor.owner(), new Lease(executor.machine(), end, false));
        }
    }

    @Override
    public void stored(Stored change, World world) {
        if (!(change instanceof Stored.ExecutorChanged changed)
                || changed.before().isEmpty()) {
            return;
        }
        StoredExecutor before = changed.before().get();
        boolean stays = changed.after()
                .filter(after -> after.getProcessId().equals(before.getProcessId()))
                .isPresent();
        Lease lease = leases.get(before.getId() + "/" + before.getProcessId());
        if (stays || lease == null || lease.leaving()) {
            return;
        }
        world.executor(lease.machine())
                .filter(executor -> executor.owner().equals(before.getId() + "/" + before.getProcessId()))
                .ifPresent(executor -> {
                    long left = lease.until() - executor.clock();
                    if (left > 0) {
                        world.violated(
                                this,
                                executor.owner() + " was removed in revision " + changed.revision()
                                        + " while its lease had " + left / 1_000_000 + " ms to run by its own clock");
                    }
                });
    }
}
