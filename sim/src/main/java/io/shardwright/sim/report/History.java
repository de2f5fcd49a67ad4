package io.shardwright.sim.report;

import io.shardwright.sim.check.Stored;
import io.shardwright.sim.check.Violation;
import io.shardwright.sim.plan.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** What a recorder heard of one run, in the order in which it heard it. Times are nanoseconds since its beginning. */
final class History {

    /** The name under which what etcd does is recorded. */
    static final String ETCD = "etcd";

    /** A change of state, worth a line. */
    record Line(long at, String machine, String kind, String text) {}

    /** A message from its sending to its end; {@code end} is -1 while it is on its way. */
    static final class Message {
        final long sent;
        final String from;
        final String to;
        final String kind;
        final String text;
        long end = -1;
        boolean lost;

        Message(long sent, String from, String to, String kind, String text) {
            this.sent = sent;
            this.from = from;
            this.to = to;
            this.kind = kind;
            this.text = text;
        }
    }

    /** The time in which an executor admits work for a shard by its own clock. */
    static final class Bar {
        final String machine;
        final String owner;
        final String shard;
        final long epoch;
        final long begin;
        /** When it ends by the clock of the executor, as far as is known. */
        long until;

        boolean closed;

        Bar(String machine, String owner, String shard, long epoch, long begin, long until) {
            this.machine = machine;
            this.owner = owner;
            this.shard = shard;
            this.epoch = epoch;
            this.begin = begin;
            this.until = until;
        }
    }

    /** A time in which something holds for a machine; {@code end} is -1 while it does. */
    static final class Span {
        final String machine;
        final String text;
        final long begin;
        long end = -1;

        Span(String machine, String text, long begin) {
            this.machine = machine;
            this.text = text;
            this.begin = begin;
        }
    }

    /** What the monotonic clock of a machine's process shows at a time, and how fast it runs from then on. */
    record ClockReading(long at, long local, double rate) {}

    /** A shard as an executor runs it at the end. */
    record Running(String owner, long epoch, boolean admits) {}

    final List<Line> lines = new ArrayList<>();
    final List<Message> messages = new ArrayList<>();
    final List<Bar> bars = new ArrayList<>();
    final List<Span> leaders = new ArrayList<>();
    final List<Span> processes = new ArrayList<>();
    final List<Fault> faults = new ArrayList<>();
    final TreeMap<String, List<ClockReading>> clocks = new TreeMap<>();
    /** Stored shards at the end, by {@code namespace/key}. */
    final TreeMap<String, Stored.Ownership> stored = new TreeMap<>();
    /** What runs at the end: shard, then machine. */
    final TreeMap<String, TreeMap<String, Running>> running = new TreeMap<>();

    Optional<Violation> violation = Optional.empty();
    long end;

    /** Returns the machines and shards that the sentence of the violation names. */
    Involved involved() {
        return Involved.in(violation.map(Violation::message).orElse(""), this);
    }

    void line(long at, String machine, String kind, String text) {
        lines.add(new Line(at, machine, kind, text));
        end = Math.max(end, at);
    }
}
