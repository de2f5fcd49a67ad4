package io.shardwright.persistence.history;

import io.shardwright.persistence.history.Call.Answer;
import io.shardwright.persistence.history.Call.Seen;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Says why a history of puts, conditional puts and reads of a store that nobody else uses cannot be explained.
 *
 * <p>A revision names the place of a write in the one order of all writes, so there is no search: every place that an
 * answer speaks of must fit. A write without an answer may have happened at any place after its call, also long after
 * it, or never; so what nobody saw of it is only counted: a revision or a version that is missing needs one.
 */
final class HistoryCheck {

    /** A write whose place is known. */
    private record Fact(Call call, long revision, long version) {}

    private final List<Call> history;
    private final long base;
    private final Map<String, Call> byValue = new LinkedHashMap<>();
    private final TreeMap<Long, Fact> facts = new TreeMap<>();
    private final List<String> faults = new ArrayList<>();

    private HistoryCheck(List<Call> history, long base) {
        this.history = history;
        this.base = base;
    }

    /**
     * Returns what is wrong; nothing if the history can be explained.
     *
     * @param base revision of the store before the first call
     */
    static List<String> faults(List<Call> history, long base) {
        HistoryCheck check = new HistoryCheck(history, base);
        check.collect();
        check.realTime();
        check.reads();
        check.versions();
        check.missingRevisions();
        return check.faults;
    }

    private void expect(boolean kept, String fault, Object about) {
        if (!kept) {
            faults.add(fault + ": " + about);
        }
    }

    /** Finds the place of every write that was answered or seen. */
    private void collect() {
        history.stream().filter(Call::isWrite).forEach(call -> byValue.put(call.value(), call));
        for (Call call : history) {
            switch (call.answer()) {
                case Answer.Wrote(long revision, long version) -> fact(call, revision, version);
                case Answer.Read read -> read.seen().ifPresent(seen -> seen(call, seen));
                case Answer.Failed failed -> {}
                case Answer.Lost lost -> {}
            }
        }
    }

    private void seen(Call reader, Seen seen) {
        Call writer = byValue.get(seen.value());
        if (writer == null || !writer.key().equals(reader.key())) {
            faults.add("a value that nobody wrote there: " + reader);
            return;
        }
        expect(!(writer.answer() instanceof Answer.Failed), "a failed write was seen", reader);
        expect(!(writer.answer() instanceof Answer.Read), "a write whose condition did not hold was seen", reader);
        fact(writer, seen.modRevision(), seen.version());
    }

    private void fact(Call call, long revision, long version) {
        Fact fact = new Fact(call, revision, version);
        Fact there = facts.putIfAbsent(revision, fact);
        expect(
                there == null || there.equals(fact),
                "two writes at one revision",
                List.of(fact, there == null ? fact : there));
        expect(
                facts.values().stream()
                                .filter(other -> other.call().equals(call))
                                .count()
                        == 1,
                "one write at two revisions",
                call);
    }

    /** Returns the newest place that was known when a call was made. */
    private long knownBefore(Call call) {
        return history.stream()
                .filter(earlier -> earlier.ended() < call.begun())
                .mapToLong(earlier -> earlier.position().orElse(base))
                .max()
                .orElse(base);
    }

    /** What was answered before a call was made lies before it. */
    private void realTime() {
        for (Call call : history) {
            if (call.answer() instanceof Answer.Read(long revision, var seen)) {
                expect(revision >= knownBefore(call), "a read of an older revision than an answer before it", call);
            }
        }
        for (Fact fact : facts.values()) {
            expect(fact.revision() > knownBefore(fact.call()), "a write before its call", fact);
        }
    }

    /** A read sees the last write before its place, and a condition is about the last write. */
    private void reads() {
        for (Call call : history) {
            switch (call.answer()) {
                case Answer.Read(long revision, var seen) -> {
                    long last = lastWrite(call.key(), revision);
                    long read = seen.map(Seen::modRevision).orElse(0L);
                    expect(read == last, "not the last write, of revision " + last, call);
                    expect(
                            call.expected().isEmpty() || call.expected().getAsLong() != read,
                            "its condition held",
                            call);
                }
                case Answer.Wrote(long revision, long version) -> {
                    if (call.expected().isPresent()) {
                        long last = lastWrite(call.key(), revision - 1);
                        expect(call.expected().getAsLong() == last, "its condition did not hold", call);
                    }
                }
                case Answer.Failed failed -> {}
                case Answer.Lost lost -> {}
            }
        }
    }

    private long lastWrite(String key, long upTo) {
        return facts.headMap(upTo, true).descendingMap().values().stream()
                .filter(fact -> fact.call().key().equals(key))
                .mapToLong(Fact::revision)
                .findFirst()
                .orElse(0);
    }

    /** Versions of a key count its writes; what is missing was written by calls without an answer. */
    private void versions() {
        for (String key : history.stream().map(Call::key).distinct().toList()) {
            long version = 0;
            long revision = base;
            long missing = 0;
            for (Fact fact : facts.values()) {
                if (fact.call().key().equals(key)) {
                    long between = fact.version() - version - 1;
                    expect(between >= 0, "a version that does not grow", fact);
                    expect(between < fact.revision() - revision, "more versions than revisions", fact);
                    missing += between;
                    version = fact.version();
                    revision = fact.revision();
                }
            }
            long unseen =
                    unseen().stream().filter(call -> call.key().equals(key)).count();
            expect(missing <= unseen, "versions that nobody wrote, of key", key);
        }
        history.stream()
                .flatMap(call -> call.answer() instanceof Answer.Read read ? read.seen().stream() : null)
                .filter(seen -> seen.version() == 1)
                .forEach(seen -> expect(seen.createRevision() == seen.modRevision(), "a creation elsewhere", seen));
    }

    private List<Call> unseen() {
        return history.stream()
                .filter(call -> call.isWrite() && call.answer() instanceof Answer.Lost)
                .filter(call ->
                        facts.values().stream().noneMatch(fact -> fact.call().equals(call)))
                .toList();
    }

    /** Every revision is a write: one that nobody speaks of is a call without an answer that was made before it. */
    private void missingRevisions() {
        List<Call> unseen = unseen();
        long newest = history.stream()
                .mapToLong(call -> call.position().orElse(base))
                .max()
                .orElse(base);
        long missing = 0;
        for (long revision = base + 1; revision <= newest; revision++) {
            if (!facts.containsKey(revision)) {
                missing++;
                long at = revision;
                long possible =
                        unseen.stream().filter(call -> knownBefore(call) < at).count();
                expect(missing <= possible, "a revision that nobody wrote", revision);
            }
        }
    }
}
