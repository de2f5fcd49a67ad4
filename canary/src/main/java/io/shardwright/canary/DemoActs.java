package io.shardwright.canary;

import io.shardwright.canary.ping.Findings;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** What a demo does to its cluster, act by act. */
final class DemoActs {

    private static final Duration POLL = Duration.ofMillis(50);
    // The state has to last this long to count as healed.
    private static final Duration STEADY = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(8);
    private static final int PAUSES = 12;

    private final Demo demo;
    private final DemoCommand command;
    private final DemoWatch watch;
    private final Fleet fleet;
    private final Findings findings;

    DemoActs(Demo demo, DemoCommand command, DemoWatch watch, Fleet fleet, Findings findings) {
        this.demo = demo;
        this.command = command;
        this.watch = watch;
        this.fleet = fleet;
        this.findings = findings;
    }

    /** The first assignment. */
    void awaitBalance() throws InterruptedException {
        List<String> ids = fleet.ids();
        if (await(ids)) {
            demo.event(command.shards + " shards spread over " + ids.size() + " executors");
        }
    }

    /** Plays until the time is over; for ever if there is no end. */
    void play() throws InterruptedException {
        for (int act = 0; pause(); act++) {
            List<String> ids = fleet.ids();
            if (ids.size() < 2) {
                join();
                continue;
            }
            switch (act % 4) {
                case 1 -> stop(ids.getFirst());
                case 2 -> kill(ids.getFirst());
                default -> join();
            }
        }
    }

    /** Lets people look; says whether there is time for another act and its heal. */
    private boolean pause() throws InterruptedException {
        Duration pause = command.time == null ? LONGEST_PAUSE : command.time.dividedBy(PAUSES);
        pause = pause.compareTo(SHORTEST_PAUSE) < 0 ? SHORTEST_PAUSE : pause;
        pause = pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
        boolean enough = demo.left().compareTo(pause.plus(command.lease).plusSeconds(2)) > 0;
        Duration sleep = enough ? pause : demo.left();
        if (sleep.isPositive()) {
            Thread.sleep(sleep);
        }
        return enough;
    }

    private void join() throws InterruptedException {
        long begin = System.nanoTime();
        Findings.Counts before = findings.counts();
        String id = fleet.start();
        demo.event(id + " starts");
        List<String> ids = fleet.ids();
        boolean healed = await(ids);
        report(id + " joined", watch.countOf(id) + " shards moved to it", healed, begin, before);
    }

    private void stop(String id) throws InterruptedException {
        int shards = watch.countOf(id);
        long begin = System.nanoTime();
        Findings.Counts before = findings.counts();
        fleet.terminate(id);
        demo.event(id + " is asked to leave (SIGTERM) with " + shards + " shards");
        report(id + " left (SIGTERM)", shards + " shards handed over", await(fleet.ids()), begin, before);
    }

    private void kill(String id) throws InterruptedException {
        int shards = watch.countOf(id);
        long begin = System.nanoTime();
        Findings.Counts before = findings.counts();
        fleet.kill(id);
        demo.event(id + " is killed (SIGKILL) with " + shards + " shards");
        report(id + " killed (SIGKILL)", shards + " shards healed", await(fleet.ids()), begin, before);
    }

    private void report(String what, String effect, boolean healed, long begin, Findings.Counts before) {
        Duration took = Duration.ofNanos(System.nanoTime() - begin);
        Findings.Counts now = findings.counts();
        demo.event(String.format(
                Locale.ROOT,
                "%s  %s %s %s, %,d pings failed of %,d",
                what,
                effect,
                healed ? "in" : "NOT YET after",
                Durations.seconds(healed ? took.minus(STEADY) : took),
                now.failed() - before.failed(),
                now.pings() - before.pings()));
    }

    /**
     * Waits until these executors alone serve all shards, each of them some, and nothing moves any more; says whether
     * that came in time.
     */
    private boolean await(List<String> ids) throws InterruptedException {
        Duration patience = command.lease.multipliedBy(3).plus(PATIENCE);
        long end = System.nanoTime() + min(patience, demo.left()).toNanos();
        OptionalLong seen = OptionalLong.empty();
        long since = 0;
        while (System.nanoTime() < end) {
            OptionalLong now = watch.settled(ids);
            if (now.isEmpty() || !now.equals(seen)) {
                since = System.nanoTime();
            } else if (System.nanoTime() - since >= STEADY.toNanos()) {
                return true;
            }
            seen = now;
            Thread.sleep(POLL);
        }
        return false;
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
