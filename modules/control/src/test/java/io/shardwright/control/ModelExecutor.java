package io.shardwright.control;

import io.shardwright.domain.ExecutorId;
import io.shardwright.domain.ShardKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** An executor that keeps the contract of executor.proto, as short as it can be said. */
final class ModelExecutor implements AssignmentListener {

    private static final double DRIFT = 0.01;

    private final Cluster cluster;
    private final String process;
    final Answers.Caller caller;
    final TreeMap<ShardKey, Long> set = new TreeMap<>();
    final TreeMap<ShardKey, Long> runUntil = new TreeMap<>();
    final TreeSet<String> released = new TreeSet<>();
    final List<Delivery> deliveries = new ArrayList<>();
    final List<Reply.Refusal> ends = new ArrayList<>();
    boolean releases = true;
    private String incarnation = "";
    private long revision;
    private long sequence;

    ModelExecutor(Cluster cluster, String id, String process) {
        this.cluster = cluster;
        this.process = process;
        this.caller = new Answers.Caller(new ExecutorId(id), process);
    }

    ModelExecutor register() {
        long sent = cluster.time.nanoTime();
        Answers.Registered answer = cluster.ok((Call<Answers.Registered> call) ->
                cluster.plane.register(Cluster.NS, Cluster.executor(caller.id().value(), process), claims(), call));
        follow(answer.delivery(), sent, answer.lease());
        cluster.plane.watchAssignments(Cluster.NS, caller, this);
        cluster.time.runUntilIdle();
        return this;
    }

    List<Claim> claims() {
        List<Claim> claims = new ArrayList<>();
        set.forEach((key, epoch) -> claims.add(new Claim(key, epoch, Claim.Activity.RUNNING, Claim.NOT_MEASURED)));
        return claims;
    }

    Answers.Renewed renew() {
        return renew(claims());
    }

    Answers.Renewed renew(List<Claim> claims) {
        long sent = cluster.time.nanoTime();
        Answers.Renewed answer = cluster.ok(
                (Call<Answers.Renewed> call) -> cluster.plane.renew(Cluster.NS, caller, ++sequence, claims, call));
        if (answer.confirmed()) {
            revision = Math.max(revision, answer.delivery().revision());
            set.keySet().forEach(key -> runUntil.put(key, end(sent, answer.lease())));
        } else {
            follow(answer.delivery(), sent, answer.lease());
        }
        return answer;
    }

    /** An answer that a push has overtaken is not applied (R85), but what it lists is still promised. */
    private void follow(Delivery delivery, long sent, Duration lease) {
        if (!incarnation.equals(delivery.incarnation()) || delivery.revision() >= revision) {
            incarnation = delivery.incarnation();
            take(delivery);
        }
        delivery.shards().forEach(entry -> {
            if (Long.valueOf(entry.epoch()).equals(set.get(entry.key()))) {
                runUntil.put(entry.key(), end(sent, lease));
            }
        });
    }

    private static long end(long sent, Duration lease) {
        return sent + (long) (lease.toNanos() * (1 - DRIFT));
    }

    private void take(Delivery delivery) {
        revision = delivery.revision();
        Map<ShardKey, Long> next = new TreeMap<>();
        List<Delivery.Entry> letGo = new ArrayList<>();
        delivery.shards().forEach(entry -> {
            if (released.contains(entry.key() + "@" + entry.epoch())) {
                letGo.add(entry);
            } else {
                next.put(entry.key(), entry.epoch());
            }
        });
        set.forEach((key, epoch) -> {
            if (!epoch.equals(next.get(key))) {
                letGo.add(new Delivery.Entry(key, epoch));
            }
        });
        long deadline =
                runUntil.values().stream().mapToLong(Long::longValue).max().orElse(0);
        set.clear();
        set.putAll(next);
        runUntil.keySet().retainAll(next.keySet());
        next.keySet().forEach(key -> runUntil.putIfAbsent(key, deadline));
        if (releases && !letGo.isEmpty()) {
            letGo.forEach(entry -> released.add(entry.key() + "@" + entry.epoch()));
            cluster.plane.release(Cluster.NS, caller, letGo, reply -> {});
        }
    }

    @Override
    public void deliver(Delivery delivery) {
        deliveries.add(delivery);
        if (delivery.incarnation().equals(incarnation) && delivery.revision() >= revision) {
            take(delivery);
        }
    }

    @Override
    public void ended(Reply.Refusal why) {
        ends.add(why);
    }
}
