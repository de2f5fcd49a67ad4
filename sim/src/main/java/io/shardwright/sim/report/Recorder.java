package io.shardwright.sim.report;

import io.shardwright.control.stored.v1.StoredExecutor;
import io.shardwright.persistence.Txn;
import io.shardwright.sim.check.Stored;
import io.shardwright.sim.check.Violation;
import io.shardwright.sim.cluster.Trace;
import io.shardwright.sim.kernel.SimProcess;
import io.shardwright.sim.network.Wire;
import io.shardwright.sim.plan.Fault;
import io.shardwright.sim.plan.Shape;
import io.shardwright.sim.report.History.Bar;
import io.shardwright.sim.report.History.ClockReading;
import io.shardwright.sim.report.History.Message;
import io.shardwright.sim.report.History.Running;
import io.shardwright.sim.report.History.Span;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** Keeps everything of one run. To be used for a run that is known to be worth explaining: it keeps every message. */
public final class Recorder implements Trace {

    private final History history = new History();
    private final IdentityHashMap<Wire.Packet, Message> underway = new IdentityHashMap<>();
    private final TreeMap<String, SimProcess> processes = new TreeMap<>();
    private final TreeMap<String, Span> alive = new TreeMap<>();
    private final TreeMap<String, Runner> runners = new TreeMap<>();
    private final TreeMap<String, TreeMap<String, Bar>> open = new TreeMap<>();
    private final TreeMap<String, Candidate> candidates = new TreeMap<>();
    private Optional<Span> leader = Optional.empty();

    private record Candidate(long revision, String replica) {}

    /** Returns what was heard; to be asked for after the run. */
    History history() {
        runners.forEach((machine, runner) -> {
            for (String shard : runner.running()) {
                history.running
                        .computeIfAbsent(shard, key -> new TreeMap<>())
                        .put(machine, new Running(runner.owner(), runner.epoch(shard), runner.admits(shard)));
            }
        });
        return history;
    }

    // ------------------------------------------------------------------ processes and faults

    @Override
    public void began(long at, SimProcess process) {
        String machine = process.name();
        processes.put(machine, process);
        reading(at, process);
        Span span = new Span(machine, "runs", at);
        alive.put(machine, span);
        history.processes.add(span);
        history.line(at, machine, "process", "begins");
    }

    @Override
    public void ended(long at, String machine, String how) {
        history.line(at, machine, "process", how);
        Optional.ofNullable(alive.remove(machine)).ifPresent(span -> span.end = at);
        Optional.ofNullable(open.remove(machine))
                .ifPresent(bars -> bars.values().forEach(bar -> close(bar, at)));
        runners.remove(machine);
        processes.remove(machine);
    }

    private void reading(long at, SimProcess process) {
        history.clocks
                .computeIfAbsent(process.name(), key -> new ArrayList<>())
                .add(new ClockReading(at, process.nanoTime(), process.clockRate()));
    }

    @Override
    public void faultBegan(long at, Fault fault) {
        history.faults.add(fault);
        if (fault.kind() == Fault.Kind.CLOCK_RATE) {
            Optional.ofNullable(processes.get(fault.targets().getFirst())).ifPresent(process -> reading(at, process));
        }
        faultLine(at, fault, fault.length() > 0 ? "begins" : "");
    }

    @Override
    public void faultEnded(long at, Fault fault) {
        if (fault.kind() == Fault.Kind.CLOCK_RATE) {
            Optional.ofNullable(processes.get(fault.targets().getFirst())).ifPresent(process -> reading(at, process));
        }
        faultLine(at, fault, "ends");
    }

    private void faultLine(long at, Fault fault, String what) {
        String nobody = fault.kind().isOperators() ? Shape.OPERATOR : History.ETCD;
        String machine = fault.targets().isEmpty() ? nobody : fault.targets().getFirst();
        String others = fault.targets().size() > 1
                ? " "
                        + String.join(
                                " ", fault.targets().subList(1, fault.targets().size()))
                : "";
        String amount = fault.amount() == 0 ? "" : " " + fault.amount();
        history.line(
                at,
                machine.startsWith(History.ETCD) ? History.ETCD : machine,
                "fault",
                ("** " + fault.kind() + (Shape.ETCD_MEMBERS.contains(machine) ? " " + machine : "") + others + amount
                                + " " + what)
                        .trim());
    }

    // ------------------------------------------------------------------ what is stored

    @Override
    public void stored(long at, Stored change) {
        switch (change) {
            case Stored.ShardChanged shard -> {
                String name = shard.namespace() + "/" + shard.key();
                shard.after()
                        .ifPresentOrElse(after -> history.stored.put(name, after), () -> history.stored.remove(name));
                history.line(
                        at,
                        History.ETCD,
                        "stored",
                        "r" + shard.revision() + " shard " + shard.key() + ": " + ownership(shard.before()) + " -> "
                                + ownership(shard.after()));
            }
            case Stored.DrainChanged drain ->
                history.line(
                        at,
                        History.ETCD,
                        "stored",
                        "r" + drain.revision() + " " + drain.target() + (drain.drained() ? " drained" : " taken back"));
            case Stored.ExecutorChanged executor ->
                history.line(
                        at,
                        History.ETCD,
                        "stored",
                        "r" + executor.revision() + " executor " + executor.id() + ": " + record(executor.before())
                                + " -> " + record(executor.after()));
            case Stored.ElectionChanged election -> {
                if (election.entry().isEmpty()) {
                    candidates.remove(election.key());
                    leaderChanged(at);
                } else {
                    candidates.putIfAbsent(election.key(), new Candidate(election.revision(), ""));
                }
            }
            default -> {}
        }
    }

    private static String ownership(Optional<Stored.Ownership> ownership) {
        return ownership
                .map(stored -> (stored.owner().isEmpty() ? "nobody" : stored.owner())
                        + "@" + stored.epoch()
                        + (stored.releasing() ? " releasing" : "")
                        + (stored.next().isEmpty() ? "" : " to " + stored.next()))
                .orElse("absent");
    }

    private static String record(Optional<StoredExecutor> executor) {
        return executor.map(stored -> stored.getProcessId() + (stored.getLeaving() ? " leaving" : ""))
                .orElse("absent");
    }

    @Override
    public void wrote(long at, String replica, Txn txn, long revision) {
        candidates.replaceAll((key, candidate) -> candidate.replica().isEmpty() && candidate.revision() == revision
                ? new Candidate(revision, replica)
                : candidate);
        leaderChanged(at);
    }

    private void leaderChanged(long at) {
        Candidate first = candidates.values().stream()
                .filter(candidate -> !candidate.replica().isEmpty())
                .min((one, other) -> Long.compare(one.revision(), other.revision()))
                .orElse(new Candidate(0, ""));
        String text = "leads (elected at r" + first.revision() + ")";
        boolean same = leader.map(span -> span.machine.equals(first.replica()) && span.text.equals(text))
                .orElse(first.replica().isEmpty());
        if (same) {
            return;
        }
        leader.ifPresent(span -> {
            span.end = at;
            history.line(at, span.machine, "leader", "leads no more");
        });
        leader = Optional.empty();
        if (!first.replica().isEmpty()) {
            Span span = new Span(first.replica(), text, at);
            history.leaders.add(span);
            history.line(at, first.replica(), "leader", text);
            leader = Optional.of(span);
        }
    }

    @Override
    public void wroteToStorage(long at, String machine, String shard, long epoch, boolean taken) {
        Message write = new Message(
                at,
                machine,
                Shape.STORAGE,
                "write",
                (taken ? "" : "REFUSED ") + "write to shard " + shard + " at epoch " + epoch);
        write.end = at;
        write.lost = !taken;
        history.messages.add(write);
        if (!taken) {
            history.line(at, Shape.STORAGE, "fence", "refuses " + machine + " shard " + shard + "@" + epoch);
        }
    }

    // ------------------------------------------------------------------ messages

    @Override
    public void sent(long at, Wire.Packet packet) {
        Message message = new Message(at, packet.from(), packet.to(), MessageText.kind(packet), MessageText.of(packet));
        history.messages.add(message);
        underway.put(packet, message);
    }

    @Override
    public void delivered(long at, Wire.Packet packet) {
        Optional.ofNullable(underway.remove(packet)).ifPresent(message -> message.end = at);
    }

    @Override
    public void lost(long at, Wire.Packet packet) {
        Optional.ofNullable(underway.remove(packet)).ifPresent(message -> {
            message.end = at;
            message.lost = true;
        });
    }

    // ------------------------------------------------------------------ executors

    @Override
    public void starting(long at, Runner executor, String shard, long epoch) {
        history.line(at, executor.machine(), "shard", "starts shard " + shard + "@" + epoch);
    }

    @Override
    public void ran(long at, Runner executor) {
        String machine = executor.machine();
        runners.put(machine, executor);
        TreeMap<String, Bar> bars = open.computeIfAbsent(machine, key -> new TreeMap<>());
        for (String shard : executor.running()) {
            Bar bar = bars.get(shard);
            if (bar != null && bar.epoch != executor.epoch(shard)) {
                close(bar, at);
                bars.remove(shard);
                bar = null;
            }
            if (executor.admits(shard)) {
                long until = at
                        + (long) (executor.nanosLeft(shard) / executor.process().clockRate());
                if (bar == null) {
                    bar = new Bar(machine, executor.owner(), shard, executor.epoch(shard), at, until);
                    bars.put(shard, bar);
                    history.bars.add(bar);
                }
                bar.until = until;
            } else if (bar != null) {
                close(bar, at);
                bars.remove(shard);
                history.line(
                        Math.max(bar.until, 0),
                        machine,
                        "shard",
                        "admits no more for shard " + shard + "@" + bar.epoch);
            }
        }
        bars.values().removeIf(bar -> {
            boolean over = !executor.running().contains(bar.shard);
            if (over) {
                close(bar, at);
                history.line(at, machine, "shard", "stopped shard " + bar.shard + "@" + bar.epoch);
            }
            return over;
        });
    }

    private static void close(Bar bar, long at) {
        bar.until = Math.min(bar.until, at);
        bar.closed = true;
    }

    @Override
    public void noted(long at, String machine, String what) {
        history.line(at, machine, "note", what);
    }

    @Override
    public void violated(Violation violation) {
        history.violation = Optional.of(violation);
        history.line(violation.time(), History.ETCD, "violation", "!! " + violation.id() + ": " + violation.message());
    }

    /** Returns the lines, ordered by time; a line about an end that was noticed later stands where it happened. */
    static List<History.Line> ordered(History history) {
        return history.lines.stream()
                .sorted((one, other) -> Long.compare(one.at(), other.at()))
                .toList();
    }
}
