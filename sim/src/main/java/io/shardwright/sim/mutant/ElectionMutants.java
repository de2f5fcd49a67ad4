package io.shardwright.sim.mutant;

import io.shardwright.domain.Clock;
import io.shardwright.domain.Outcome;
import io.shardwright.election.Belief;
import io.shardwright.election.Election;
import io.shardwright.election.HandOver;
import io.shardwright.election.LeaderAddress;
import io.shardwright.election.QueuedReplica;
import io.shardwright.election.Term;
import io.shardwright.persistence.ForwardingStore;
import io.shardwright.persistence.KeyValue;
import io.shardwright.persistence.RangeRequest;
import io.shardwright.persistence.RangeResponse;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.Txn;
import io.shardwright.persistence.TxnResponse;
import io.shardwright.sim.cluster.Wiring;
import io.shardwright.sim.kernel.SimProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/** What can be wrong with leadership. */
final class ElectionMutants {

    private ElectionMutants() {}

    /** Each candidate sees its own entry only, so each is the oldest. */
    static Wiring olderWaitersIgnored() {
        return new Wiring() {
            @Override
            public Store electionStore(SimProcess replica, Store real) {
                TreeSet<String> mine = new TreeSet<>();
                return new ForwardingStore(real) {
                    @Override
                    public void txn(Txn txn, Consumer<Outcome<TxnResponse>> answer) {
                        for (Txn.Op op : txn.success()) {
                            if (op instanceof Txn.Op.Put put) {
                                mine.add(put.key().toUtf8());
                            }
                        }
                        super.txn(txn, answer);
                    }

                    @Override
                    public void range(RangeRequest request, Consumer<Outcome<RangeResponse>> answer) {
                        super.range(request, outcome -> {
                            if (outcome instanceof Outcome.Success<RangeResponse>(RangeResponse all)) {
                                List<KeyValue> own = all.kvs().stream()
                                        .filter(kv -> mine.contains(kv.key().toUtf8()))
                                        .toList();
                                answer.accept(Outcome.success(
                                        new RangeResponse(all.revision(), own, all.more(), own.size())));
                            } else {
                                answer.accept(outcome);
                            }
                        });
                    }
                };
            }
        };
    }

    /** An election that lets its listener hear something else. */
    private abstract static class Changed implements Election {
        final Election real;
        private Optional<Term> heard = Optional.empty();
        private Optional<Term> told = Optional.empty();

        Changed(Election real) {
            this.real = real;
        }

        /** Returns the term to tell of. */
        abstract Term elected(Term term);

        /** Says whether the end of a term is told. */
        abstract boolean tellsEnd();

        @Override
        public void campaign(String incarnation, Listener listener) {
            real.campaign(incarnation, new Listener() {
                @Override
                public void entered(long revision) {
                    listener.entered(revision);
                }

                @Override
                public void elected(Term term) {
                    Term other = Changed.this.elected(term);
                    heard = Optional.of(term);
                    told = Optional.of(other);
                    listener.elected(other);
                }

                @Override
                public void ended(Term term) {
                    if (tellsEnd()) {
                        told.ifPresent(listener::ended);
                    }
                }

                @Override
                public void refused(String why) {
                    listener.refused(why);
                }
            });
        }

        @Override
        public void ready(Term term) {
            heard.ifPresent(real::ready);
        }

        @Override
        public void lost(Term term) {
            heard.ifPresent(real::lost);
        }

        @Override
        public void resign(Runnable resigned) {
            real.resign(resigned);
        }

        @Override
        public void handOver(Optional<LeaderAddress> to, Consumer<HandOver> done) {
            real.handOver(to, done);
        }

        @Override
        public List<QueuedReplica> queue() {
            return real.queue();
        }

        @Override
        public Optional<Duration> heard(long now) {
            return real.heard(now);
        }

        @Override
        public Optional<LeaderAddress> leader() {
            return real.leader();
        }

        @Override
        public boolean inTouch(long now) {
            return real.inTouch(now);
        }

        @Override
        public boolean contested() {
            return real.contested();
        }

        @Override
        public long failures() {
            return real.failures();
        }
    }

    static Wiring believesForEver() {
        return new Wiring() {
            @Override
            public Election election(SimProcess replica, Election real) {
                return new Changed(real) {
                    @Override
                    Term elected(Term term) {
                        return new Term(term.key(), term.createRevision(), term.since(), Belief.UNLIMITED);
                    }

                    @Override
                    boolean tellsEnd() {
                        return false;
                    }
                };
            }
        };
    }

    /**
     * During a take-over the clock of the new leader runs one lease behind, so the leases it starts are over at once.
     */
    static Wiring leasesNotRestarted() {
        return new Wiring() {
            private final TreeMap<String, Boolean> takingOver = new TreeMap<>();

            @Override
            public Clock replicaClock(SimProcess replica) {
                return new Clock() {
                    @Override
                    public long nanoTime() {
                        long lease = Duration.ofSeconds(15).toNanos();
                        return replica.nanoTime() - (takingOver.getOrDefault(replica.name(), false) ? lease : 0);
                    }

                    @Override
                    public Instant wallTime() {
                        return replica.wallTime();
                    }
                };
            }

            @Override
            public Election election(SimProcess replica, Election real) {
                return new Changed(real) {
                    @Override
                    Term elected(Term term) {
                        takingOver.put(replica.name(), true);
                        return term;
                    }

                    @Override
                    public void ready(Term term) {
                        takingOver.put(replica.name(), false);
                        super.ready(term);
                    }

                    @Override
                    boolean tellsEnd() {
                        return true;
                    }
                };
            }
        };
    }

    private static long nanos(Instant wall) {
        return wall.getEpochSecond() * 1_000_000_000L + wall.getNano();
    }

    static Wiring wallClock() {
        return new Wiring() {
            @Override
            public Clock replicaClock(SimProcess replica) {
                long begin = replica.nanoTime() - nanos(replica.wallTime());
                return new Clock() {
                    @Override
                    public long nanoTime() {
                        return begin + nanos(replica.wallTime());
                    }

                    @Override
                    public Instant wallTime() {
                        return replica.wallTime();
                    }
                };
            }
        };
    }
}
