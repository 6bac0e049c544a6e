/**
 * Runs callbacks under locks.
 * <p>
 * A callback runs under a lease, which belongs to its thread or to its Reactor context.
 * If an outer call has locked the name, a nested call re-enters the lease of the outer
 * call and takes no new lock. A lease is released when the last call that uses it has
 * ended and the transaction that keeps it, if any, has completed. If a lease is lost
 * while a callback runs, the caller gets a {@link dev.redlock.LockLostException}, unless
 * the {@link dev.redlock.LossPolicy} of the request says otherwise.
 */
@NullMarked
package dev.redlock.spring.template;

import org.jspecify.annotations.NullMarked;
