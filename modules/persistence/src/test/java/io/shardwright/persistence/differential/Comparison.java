package io.shardwright.persistence.differential;

import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.KeyRange;
import io.shardwright.persistence.differential.Command.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Runs one sequence on a fake and a real store, call by call, and throws where they differ.
 *
 * <p>Reads between two writes are under way at the same time; a write waits for all answers before it. A stream can be
 * compared only where both stores must have delivered everything, so before a compaction, a cancellation and the end a
 * <em>sync</em> writes one key in the range of each open watch and waits until all heard of it.
 */
final class Comparison {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** The port has no sign that a watch "from now" stands, so one key is written again and again until it is heard. */
    private static final Duration STANDING = Duration.ofMillis(25);

    private static final int STANDING_ROUNDS = 400;

    private final Subject fake;
    private final Subject real;
    private final Transcript transcript;
    private final List<Pending> pending = new ArrayList<>();
    private final List<Watched> watches = new ArrayList<>();
    private long compacted;

    private Comparison(Subject fake, Subject real) {
        this.fake = fake;
        this.real = real;
        this.transcript = new Transcript(fake.name(), real.name());
    }

    /** Runs a sequence. */
    static void run(Subject fake, Subject real, Sequence sequence) {
        Comparison comparison = new Comparison(fake, real);
        sequence.commands().forEach(comparison::step);
        comparison.end();
    }

    private record Pending(String call, CompletableFuture<String> fake, CompletableFuture<String> real) {}

    /** A watch on both stores. */
    private static final class Watched {
        private final int index;
        private final Command.Watch command;
        private final Heard fake;
        private final Heard real;

        /** First revision that it may hear of. */
        private final long from;

        /** A watch "from now" may stand late at the real store, but it stands since this revision. */
        private long stands;

        private boolean cancelled;

        Watched(int index, Command.Watch command, long from, Heard fake, Heard real) {
            this.index = index;
            this.command = command;
            this.from = from;
            this.stands = from;
            this.fake = fake;
            this.real = real;
        }

        boolean isOpen() {
            return !cancelled && !(fake.hasEnded() && real.hasEnded());
        }

        /** Returns the key that a sync writes. */
        Bytes syncKey() {
            KeyRange range = command.range();
            return Commands.KEYS.stream().filter(range::contains).findFirst().orElse(range.start());
        }
    }

    private void step(Command command) {
        if (!command.onlyReads()) {
            settle();
        }
        switch (command) {
            case Command.Watch watch -> watch(watch);
            case Command.Cancel(int pick) -> cancel(pick);
            case Command.Compact compact -> {
                sync();
                Situation situation = start(compact);
                if (settle().getLast().startsWith("+")) {
                    compacted = situation.offset(compact.at()).orElseThrow();
                }
            }
            case Command.Read read -> start(read);
            case Command.Transaction txn -> start(txn);
            case Command.Grant grant -> start(grant);
            case Command.KeepAlive keepAlive -> start(keepAlive);
            case Command.TimeToLive timeToLive -> start(timeToLive);
            case Command.Revoke revoke -> start(revoke);
        }
        if (!command.onlyReads()) {
            settle();
        }
    }

    private Situation situation() {
        return fake.situation(compacted);
    }

    private Situation start(Command command) {
        Situation situation = situation();
        CompletableFuture<String> realAnswer = real.start(command, situation);
        pending.add(new Pending(command.show(situation), fake.start(command, situation), realAnswer));
        return situation;
    }

    /** Waits for the answers that are due and compares them. */
    private List<String> settle() {
        List<String> answers = new ArrayList<>();
        for (Pending call : pending) {
            String fakeAnswer = await(fake, call.fake());
            String realAnswer = await(real, call.real());
            transcript.add(call.call(), fakeAnswer, realAnswer);
            if (!fakeAnswer.equals(realAnswer)) {
                throw transcript.difference();
            }
            answers.add(fakeAnswer);
        }
        pending.clear();
        return answers;
    }

    private static String await(Subject subject, CompletableFuture<String> answer) {
        return subject.waitUntil(answer::isDone, PATIENCE) ? answer.join() : "no answer";
    }

    private void watch(Command.Watch command) {
        Situation situation = situation();
        long from = situation.offset(command.from()).orElse(situation.newest() + 1);
        transcript.note("watch %d: %s".formatted(watches.size(), command.show(situation)));
        Watched watched = new Watched(
                watches.size(), command, from, fake.watch(command, situation), real.watch(command, situation));
        watches.add(watched);
        if (command.from().anchor() == Rev.Anchor.NONE) {
            stand(watched);
        }
    }

    private void stand(Watched watched) {
        for (int round = 0; round < STANDING_ROUNDS && watched.isOpen(); round++) {
            watched.stands = write(List.of(watched.syncKey()), "stand");
            if (real.waitUntil(() -> watched.real.first().isPresent() || watched.real.hasEnded(), STANDING)) {
                return;
            }
            if (fake.waitUntil(watched.fake::hasEnded, Duration.ZERO)) {
                break;
            }
        }
        compare(watched);
    }

    private void cancel(int pick) {
        List<Watched> open = watches.stream().filter(Watched::isOpen).toList();
        if (open.isEmpty()) {
            return;
        }
        Watched chosen = open.get(pick % open.size());
        sync();
        compare(chosen);
        fake.cancel(chosen.index);
        real.cancel(chosen.index);
        chosen.cancelled = true;
        transcript.note("cancel watch " + chosen.index);
    }

    /** Writes one key in the range of each open watch, in one transaction, and returns the revision as an offset. */
    private long write(List<Bytes> keys, String why) {
        start(new Command.Transaction(
                List.of(),
                keys.stream()
                        .<Step>map(key -> new Step.Put(key, Bytes.utf8(why), 0))
                        .toList(),
                List.of(),
                1));
        settle();
        return situation().newest();
    }

    private void sync() {
        List<Watched> open = watches.stream().filter(Watched::isOpen).toList();
        if (open.isEmpty()) {
            return;
        }
        long revision =
                write(open.stream().map(Watched::syncKey).distinct().sorted().toList(), "sync");
        for (Watched watched : open) {
            if (watched.from <= revision) {
                boolean both = fake.waitUntil(() -> watched.fake.reached(revision), PATIENCE)
                        && real.waitUntil(() -> watched.real.reached(revision), PATIENCE);
                if (!both || watched.fake.hasEnded() != watched.real.hasEnded()) {
                    compare(watched);
                }
            }
        }
    }

    private void end() {
        settle();
        sync();
        while (watches.stream()
                .anyMatch(watched ->
                        watched.isOpen() && watched.from > situation().newest())) {
            sync();
        }
        watches.forEach(this::compare);
    }

    private void compare(Watched watched) {
        long start = watched.from;
        if (watched.command.from().anchor() == Rev.Anchor.NONE) {
            Optional<Long> first = watched.real.first();
            if (first.isPresent() && first.get() <= watched.stands) {
                start = Math.max(start, first.get());
            }
        }
        List<String> ofFake = watched.fake.from(Long.MIN_VALUE);
        List<String> ofReal = watched.real.from(Long.MIN_VALUE);
        boolean tooEarly = watched.fake
                        .first()
                        .filter(first -> first < watched.from)
                        .isPresent()
                || watched.real.first().filter(first -> first < watched.from).isPresent();
        if (tooEarly || !watched.fake.from(start).equals(watched.real.from(start))) {
            throw transcript.difference(watched.index, ofFake, ofReal);
        }
    }
}
