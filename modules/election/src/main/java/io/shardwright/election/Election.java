package io.shardwright.election;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Decides which replica leads. Called on one event loop, and calls its listener there. What it knows, from
 * {@link #leader} on, any thread may ask.
 */
public interface Election {

    /**
     * Begins to campaign, and goes on until {@link #resign}. A term that ends is followed by a new campaign. Called
     * once.
     *
     * @param incarnation random identity of this process, as its deliveries carry it; stands in its election entry
     */
    void campaign(String incarnation, Listener listener);

    /**
     * The holder of a term serves: only now may others name it to callers (R97). Repeated by the election until it is
     * written, as it can be repeated without harm (R14).
     */
    void ready(Term term);

    /**
     * The holder of a term found that its guard or its belief does not hold any more: the term is over. Does nothing
     * for a term that is over already.
     */
    void lost(Term term);

    /**
     * Ends the campaign or the term and hands leadership over at once: the entry is removed.
     *
     * @param resigned called once on the event loop, when the entry is gone or that was tried in vain; it then goes
     *     when its lease ends
     */
    void resign(Runnable resigned);

    /**
     * Returns where the leader serves, as this replica last heard, from memory (R95). Empty: nobody leads, or the
     * leader is not ready.
     */
    Optional<LeaderAddress> leader();

    /**
     * Tells whether the store answered this replica recently enough for it to be of use as a standby: within one TTL of
     * the leadership (R128).
     */
    boolean inTouch(long now);

    /** Tells whether another replica may lead while this one does not. */
    boolean contested();

    /**
     * Ends the term of this replica and makes another one the first of the queue; this one queues again, at the end.
     * Called on the event loop. The term ends before the store is asked, so nothing is decided in its name while the
     * next one may begin: where the store does not answer, the term is over all the same.
     *
     * @param to which replica; empty: whichever is next
     * @param done called once on the event loop
     */
    void handOver(Optional<LeaderAddress> to, Consumer<HandOver> done);

    /**
     * Returns who leads and who waits, in this order, as this replica last heard, from memory. Empty: nobody, or this
     * replica does not know yet.
     */
    List<QueuedReplica> queue();

    /** Returns how long ago the store last answered this replica's election; empty: never. */
    Optional<Duration> heard(long now);

    /** Returns how often something failed on the way to leadership and was tried again (R142). */
    long failures();

    /** Hears of terms. */
    interface Listener {

        /**
         * This replica waits in the queue. Called for each campaign of a contested election.
         *
         * @param revision of the store, at which its entry was written: it is certain that the present is not older
         */
        void entered(long revision);

        /** This replica leads. */
        void elected(Term term);

        /** The term is over: nothing may be decided in its name any more. */
        void ended(Term term);

        /** This replica must not take part as it is configured. It does not, and the term it may have had is over. */
        void refused(String why);
    }
}
