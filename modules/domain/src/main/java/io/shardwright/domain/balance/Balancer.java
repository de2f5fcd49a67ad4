package io.shardwright.domain.balance;

/**
 * Decides which shard goes where.
 *
 * <p>A plan is a pure function of its input: no clock, no random numbers, no dependence on the order of hash tables.
 * Planning again after the plan was carried out, with nothing else changed, gives no moves.
 */
public interface Balancer {

    /** Returns the name that a namespace selects the balancer by. */
    String name();

    /** Plans moves. */
    Plan plan(BalanceInput input);
}
