/**
 * What a server does around its connection to etcd: refuses a start that cannot end well, and takes renewed
 * certificates while it runs.
 *
 * <p>Start with {@link io.shardwright.server.etcd.EtcdConnection}. Not here: the calls themselves, which are the
 * store's.
 */
@NullMarked
package io.shardwright.server.etcd;

import org.jspecify.annotations.NullMarked;
