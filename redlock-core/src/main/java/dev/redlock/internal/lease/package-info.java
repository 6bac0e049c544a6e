/**
 * A lock that was granted, until its end.
 * <p>
 * {@link HeldLease} is what the holder has. {@link Renewal} decides when it is extended,
 * {@link LeaseExtension} extends it, and {@link LeaseRelease} releases it on the nodes.
 * {@link HeldLeases} are all leases of this process, and are checked for expiry. Any
 * thread may end a lease by its status.
 * <p>
 * A lease knows the queue that it leaves, and the rounds that extend and release it, and
 * its request only as a waiter of that queue.
 */
@NullMarked
package dev.redlock.internal.lease;

import org.jspecify.annotations.NullMarked;
