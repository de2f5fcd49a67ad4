package io.shardwright.control;

import io.shardwright.control.Reply.Refusal;
import io.shardwright.domain.Clock;
import io.shardwright.domain.Drain;
import io.shardwright.domain.Executor;
import io.shardwright.domain.ExecutorId;
import io.shardwright.domain.Namespace;
import io.shardwright.domain.NamespaceName;
import io.shardwright.domain.RandomSource;
import io.shardwright.domain.Scheduler;
import io.shardwright.domain.Shard;
import io.shardwright.domain.ShardKey;
import io.shardwright.election.Election;
import io.shardwright.election.HandOver;
import io.shardwright.election.LeaderAddress;
import io.shardwright.election.QueuedReplica;
import io.shardwright.election.Term;
import io.shardwright.persistence.Store;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The shard manager without its network: takes calls, leads while it is elected, and publishes what is stored.
 *
 * <p>Thread-safe. Calls that change something, and all calls of executors, hop onto the event loop and are answered
 * there. {@link #view}, {@link #views} and a {@link #lookup} that finds an owner read immutable snapshots and never
 * queue behind a decision.
 */
public final class ControlPlane {

    private static final String UNSURE = "its leadership was not renewed in time";

    private final Scheduler loop;
    private final Clock clock;
    private final Election election;
    private final Leader.Parts parts;
    private final String incarnation;

    // Written on the event loop, read by every thread.
    private volatile Optional<Leader> leader = Optional.empty();
    private volatile String standing = "it has not finished starting";
    private volatile boolean stopping;

    /** The term that runs, from its beginning; it serves once it is also the {@link #leader}. */
    private Optional<Leader> elected = Optional.empty();

    private volatile Optional<Instant> leadingSince = Optional.empty();
    private final StateFollower follower;

    /**
     * Prepares a control plane; nothing happens before {@link #start}.
     *
     * @param ports clock, event loop, random numbers and store
     * @param configured namespaces that must exist
     * @param listener hears what happens
     */
    public ControlPlane(
            Ports ports,
            Election election,
            ControlSettings settings,
            List<Namespace> configured,
            ControlListener listener) {
        this.loop = ports.loop();
        this.clock = ports.clock();
        this.election = election;
        this.incarnation = String.format(
                Locale.ROOT,
                "%016x%016x",
                ports.random().nextLong(),
                ports.random().nextLong());
        this.parts = new Leader.Parts(ports, settings, List.copyOf(configured), incarnation, listener);
        this.follower = new StateFollower(
                ports, new Keys(settings.keyPrefix()), () -> election.inTouch(clock.nanoTime()), listener);
    }

    /** What the control plane gets from around it. */
    public record Ports(Clock clock, Scheduler loop, RandomSource random, Store store) {}

    /** How a start ended. */
    public sealed interface Started {

        /** State is loaded and calls are served. */
        record Ready() implements Started {}

        /** The server must not run like this; an operator must act. */
        record Refused(String message) implements Started {}

        /** Another live server has the address of this one, and came first (R32); this one ends. */
        record SameAddress(String message) implements Started {}
    }

    /** Returns the random identity of this process (R86). */
    public String incarnation() {
        return incarnation;
    }

    /**
     * Campaigns, and serves once elected. {@code started} is called on the event loop at the first term, and again if a
     * later term finds bad state.
     */
    public void start(Consumer<Started> started) {
        loop.execute(() -> {
            standing = "it waits for its turn to lead";
            follow();
            election.campaign(incarnation, new Election.Listener() {
                @Override
                public void entered(long revision) {
                    follower.atLeast(revision);
                }

                @Override
                public void elected(Term term) {
                    standing = "it was elected and loads the state";
                    leadingSince = Optional.of(clock.wallTime());
                    follower.stop();
                    Leader winner = new Leader(parts, term, () -> election.lost(term));
                    elected = Optional.of(winner);
                    winner.load(outcome -> {
                        if (outcome instanceof Started.Ready) {
                            leader = Optional.of(winner);
                            election.ready(term);
                            parts.listener().servingChanged(true);
                        }
                        started.accept(outcome);
                    });
                }

                @Override
                public void ended(Term term) {
                    standing = stopping ? "it is stopping" : "its term of leadership ended";
                    Optional<Leader> over = elected;
                    elected = Optional.empty();
                    leader = Optional.empty();
                    leadingSince = Optional.empty();
                    over.ifPresent(l -> {
                        follower.atLeast(l.latestRevision());
                        l.close(standing);
                    });
                    parts.listener().servingChanged(false);
                    if (!stopping) {
                        follow();
                    }
                }

                @Override
                public void refused(String why) {
                    stopping = true;
                    standing = "it is stopping";
                    follower.stop();
                    started.accept(new Started.SameAddress(why));
                }
            });
        });
    }

    /**
     * Stops deciding; whoever waits is refused. {@code stopped} is called on the event loop, when another replica can
     * lead.
     */
    public void stop(Runnable stopped) {
        loop.execute(() -> {
            stopping = true;
            follower.stop();
            standing = "it is stopping";
            election.resign(stopped);
        });
    }

    private void follow() {
        if (election.contested()) {
            follower.start();
        }
    }

    /** Tells whether calls are served. */
    public boolean serving() {
        return leader.isPresent();
    }

    /** Returns since when this process leads, for people; it may not serve yet (R140, R144). */
    public Optional<Instant> leadingSince() {
        return leadingSince;
    }

    /** Tells whether this process serves and may promise, or is fit to take over when its turn comes (R127 to R130). */
    public boolean ready() {
        Optional<Leader> now = leader;
        return now.isPresent() ? now.get().believes() : election.inTouch(clock.nanoTime());
    }

    // ------------------------------------------------------------------ reads

    /** Returns the stored state of a namespace, or empty when it does not exist or this process does not serve. */
    public Optional<NamespaceView> view(NamespaceName name) {
        return leader.flatMap(l -> Optional.ofNullable(l.published().get(name)))
                .map(n -> n.state().view());
    }

    /** Returns the stored state of all namespaces, by name. */
    public List<NamespaceView> views() {
        List<NamespaceView> views = new ArrayList<>();
        leader.ifPresent(
                l -> l.published().values().forEach(n -> views.add(n.state().view())));
        return views;
    }

    /** Finds the owner of a shard; creates it where the namespace is ephemeral and the key unknown. */
    public void lookup(NamespaceName name, ShardKey key, Call<Answers.Owner> call) {
        Optional<Leader> now = leader;
        if (now.isEmpty()) {
            call.refuse(notLeading());
            return;
        }
        if (!now.get().believes()) {
            loop.execute(() -> doubt(now.get(), call));
            return;
        }
        NamespaceControl namespace = now.get().published().get(name);
        if (namespace == null) {
            call.refuse(new Refusal.NoSuchNamespace(name));
            return;
        }
        NamespaceView view = namespace.state().view();
        Optional<Refusal> drained = view.refusal(key);
        if (drained.isPresent()) {
            call.refuse(drained.get());
            return;
        }
        Optional<Shard> shard = view.table().find(key);
        if (shard.isPresent()) {
            Optional<Executor> owner = shard.get().owner().map(view.executors()::get);
            call.ok(new Answers.Owner(shard.get(), owner, view.revision()));
        } else if (view.namespace().kind() instanceof Namespace.Kind.Fixed) {
            call.refuse(new Refusal.NoSuchShard(name, key));
        } else {
            onLoop(name, call, control -> control.calls().create(key, call));
        }
    }

    // ------------------------------------------------------------------ executors

    /** Registers an executor. */
    public void register(NamespaceName name, Executor executor, List<Claim> claims, Call<Answers.Registered> call) {
        promising(name, call, (namespace, certain) -> namespace.calls().register(executor, claims, certain));
    }

    /** Renews a lease. */
    public void renew(
            NamespaceName name, Answers.Caller caller, long sequence, List<Claim> claims, Call<Answers.Renewed> call) {
        promising(name, call, (namespace, certain) -> namespace.calls().renew(caller, sequence, claims, certain));
    }

    /** Opens the stream of an executor's set. Returns what closes it again. */
    public Runnable watchAssignments(NamespaceName name, Answers.Caller caller, AssignmentListener stream) {
        onLoop(
                name,
                reply -> {
                    if (reply instanceof Reply.Refused<Object>(Refusal why)) {
                        stream.ended(why);
                    }
                },
                namespace -> namespace.calls().watch(caller, stream));
        return () -> onLoop(name, reply -> {}, namespace -> namespace.calls().unwatch(caller.id(), stream));
    }

    /** Takes a release. */
    public void release(
            NamespaceName name, Answers.Caller caller, List<Delivery.Entry> shards, Call<Answers.Released> call) {
        onLoop(name, call, namespace -> namespace.calls().release(caller, shards, call));
    }

    /** Begins to take an executor out. */
    public void deregister(NamespaceName name, Answers.Caller caller, Call<Answers.Leaving> call) {
        onLoop(name, call, namespace -> namespace.calls().deregister(caller, call));
    }

    // ------------------------------------------------------------------ operators

    /**
     * Moves leadership to another replica (B10).
     *
     * @param to which one; empty: the next of the queue
     */
    public void transferLeadership(Optional<LeaderAddress> to, Call<QueuedReplica> call) {
        loop.execute(() -> {
            if (leader.isEmpty()) {
                call.refuse(notLeading());
                return;
            }
            election.handOver(to, outcome -> {
                switch (outcome) {
                    case HandOver.To(QueuedReplica next) -> call.ok(next);
                    case HandOver.NobodyThere(List<QueuedReplica> waiting) ->
                        call.refuse(new Refusal.NoSuchReplica(to, waiting));
                    case HandOver.Uncertain(String why) -> call.refuse(new Refusal.LeadershipLost(why));
                    case HandOver.NotLeading() -> call.refuse(notLeading());
                }
            });
        });
    }

    /** Returns who leads and who waits, as this replica knows it, whether it leads or not. */
    public Answers.Queue queue() {
        return new Answers.Queue(election.queue(), election.heard(clock.nanoTime()));
    }

    /** Creates a namespace. */
    public void createNamespace(Namespace namespace, Call<Answers.Created> call) {
        onLeader(call, l -> l.create(namespace, call));
    }

    /** Deletes a namespace without executors. */
    public void deleteNamespace(NamespaceName name, Call<NamespaceName> call) {
        onLeader(call, l -> l.delete(name, call));
    }

    /** Takes shards from their owners and keeps them free until they are taken back. */
    public void drainShards(
            NamespaceName name, List<ShardKey> keys, String by, String reason, Call<Answers.Drained> call) {
        onLoop(name, call, namespace -> {
            Optional<ShardKey> missing = namespace.state().namespace().kind() instanceof Namespace.Kind.Fixed
                    ? keys.stream()
                            .filter(key -> namespace.table().find(key).isEmpty())
                            .findFirst()
                    : Optional.empty();
            if (missing.isPresent()) {
                call.refuse(new Refusal.NoSuchShard(name, missing.get()));
                return;
            }
            namespace.calls().drain(drains -> drains.withShards(keys, new Drain(by, reason, clock.wallTime())), call);
        });
    }

    /** Takes drained shards back. */
    public void undrainShards(NamespaceName name, List<ShardKey> keys, Call<Answers.Drained> call) {
        onLoop(name, call, namespace -> namespace.calls().drain(drains -> drains.withoutShards(keys), call));
    }

    /** Lets the executors on hosts hand their shards over, and gives them none until the hosts are taken back. */
    public void drainHosts(
            NamespaceName name, List<String> hosts, String by, String reason, Call<Answers.Drained> call) {
        onLoop(
                name,
                call,
                namespace -> namespace
                        .calls()
                        .drain(drains -> drains.withHosts(hosts, new Drain(by, reason, clock.wallTime())), call));
    }

    /** Takes drained hosts back. */
    public void undrainHosts(NamespaceName name, List<String> hosts, Call<Answers.Drained> call) {
        onLoop(name, call, namespace -> namespace.calls().drain(drains -> drains.withoutHosts(hosts), call));
    }

    /** Lists what is drained, and what is left to hand over. */
    public void listDrains(NamespaceName name, Call<Answers.DrainList> call) {
        onLoop(name, call, namespace -> call.ok(namespace.state().drainList()));
    }

    /** Describes a namespace. */
    public void describeNamespace(NamespaceName name, Call<Answers.NamespaceDetails> call) {
        onLoop(name, call, namespace -> call.ok(namespace.state().details(clock.nanoTime())));
    }

    /** Lists the executors of a namespace. */
    public void listExecutors(NamespaceName name, Call<Answers.Executors> call) {
        onLoop(name, call, n -> call.ok(new Answers.Executors(n.state().executorDetails(clock.nanoTime()))));
    }

    /** Describes an executor and its shards. */
    public void describeExecutor(NamespaceName name, ExecutorId id, Call<Answers.ExecutorShards> call) {
        onLoop(name, call, namespace -> {
            NamespaceState state = namespace.state();
            Optional<ExecutorSession> session = state.session(id);
            if (session.isEmpty()) {
                call.refuse(new Refusal.NotRegistered(name, id));
                return;
            }
            call.ok(new Answers.ExecutorShards(
                    state.details(session.get(), clock.nanoTime()),
                    state.table().ownedBy(id).stream().map(state::details).toList()));
        });
    }

    /**
     * Lists the loads that an executor reported. Costs the event loop as much as the executor has shards, where
     * {@link #describeExecutor} costs as much as the namespace has.
     */
    public void reportedLoads(NamespaceName name, ExecutorId id, Call<Answers.ReportedLoads> call) {
        onLoop(
                name,
                call,
                namespace -> namespace
                        .state()
                        .session(id)
                        .ifPresentOrElse(
                                session -> call.ok(new Answers.ReportedLoads(session.reportedLoads())),
                                () -> call.refuse(new Refusal.NotRegistered(name, id))));
    }

    /** Shows a shard; never creates it. */
    public void inspectShard(NamespaceName name, ShardKey key, Call<Answers.ShardDetails> call) {
        onLoop(
                name,
                call,
                namespace -> namespace
                        .table()
                        .find(key)
                        .ifPresentOrElse(
                                shard -> call.ok(namespace.state().details(shard)),
                                () -> call.refuse(new Refusal.NoSuchShard(name, key))));
    }

    /**
     * Returns what a call is refused with while this process does not serve. A process that is stopping names nobody:
     * it may be the one that the others still name.
     */
    public Refusal notLeading() {
        return new Refusal.NotLeading(standing, stopping ? Optional.empty() : election.leader());
    }

    /** Refuses a call before it runs, because leadership is not certain any more, and ends the term (R122, R179). */
    private void doubt(Leader doubtful, Call<?> call) {
        call.refuse(new Refusal.NotLeading(UNSURE));
        doubtful.lost();
    }

    private <T> void onLeader(Call<T> call, Consumer<Leader> action) {
        loop.execute(() -> {
            Optional<Leader> now = leader;
            if (now.isEmpty()) {
                call.refuse(notLeading());
            } else if (!now.get().believes()) {
                doubt(now.get(), call);
            } else {
                action.accept(now.get());
            }
        });
    }

    /**
     * Runs a call whose answer promises a lease: it is looked at once more, when it is given, whether this process
     * still may promise anything. It may have stood still since.
     */
    private <T> void promising(NamespaceName name, Call<T> call, BiConsumer<NamespaceControl, Call<T>> action) {
        onLoop(
                name,
                call,
                namespace -> action.accept(namespace, reply -> {
                    if (reply instanceof Reply.Ok<T> && !namespace.believes()) {
                        call.refuse(new Refusal.LeadershipLost(UNSURE));
                    } else {
                        call.accept(reply);
                    }
                }));
    }

    private <T> void onLoop(NamespaceName name, Call<T> call, Consumer<NamespaceControl> action) {
        onLeader(call, l -> {
            SortedMap<NamespaceName, NamespaceControl> namespaces = l.published();
            NamespaceControl namespace = namespaces.get(name);
            if (namespace == null) {
                call.refuse(new Refusal.NoSuchNamespace(name));
            } else {
                action.accept(namespace);
            }
        });
    }
}
