package io.shardwright.election;

/** Decides which replica leads. Called on one event loop, and calls its listener there. */
public interface Election {

    /**
     * Begins to campaign, and goes on until {@link #resign}. A term that ends is followed by a new campaign. Called
     * once.
     */
    void campaign(Listener listener);

    /** The holder of a term found that its guard does not hold any more: the term is over. */
    void lost(Term term);

    /** Ends the campaign or the term. May be repeated. */
    void resign();

    /** Hears of terms. */
    interface Listener {

        /** This replica leads. */
        void elected(Term term);

        /** The term is over: nothing may be decided in its name any more. */
        void ended(Term term);
    }
}
