/**
 * The Store in etcd: any number of servers may use one etcd at a time.
 *
 * <p>Start with {@link io.shardwright.persistence.etcd.EtcdStore}. It calls etcd's gRPC services through the stubs of
 * jetcd, and not through jetcd's client: that client resends some writes by itself (a lease grant after
 * {@code UNAVAILABLE}), resumes watches out of the caller's sight, and has calls without a deadline.
 *
 * <p>Not here: prefixes of keys; those are the caller's business.
 */
@NullMarked
package io.shardwright.persistence.etcd;

import org.jspecify.annotations.NullMarked;
