/**
 * Balancers: pure functions from the state of a namespace to a list of moves, each with its reason.
 *
 * <p>Not here: when a plan is made and how a move is carried out ({@link io.shardwright.domain.Decider} and the control
 * module). Start with {@link io.shardwright.domain.balance.Balancer}, then
 * {@link io.shardwright.domain.balance.NaiveBalancer}.
 */
@NullMarked
package io.shardwright.domain.balance;

import org.jspecify.annotations.NullMarked;
