/**
 * Opens and closes a lock, and answers its public methods.
 * <p>
 * {@link Engine} is what {@code Redlock} delegates to, and beside {@code Ticket} the only
 * class that other modules may use. {@link ClientLifecycle} opens and closes the
 * connections, and {@link Drain} ends the leases of a client that closes. Any thread may
 * call the engine.
 * <p>
 * Applications must not use the packages of {@code dev.redlock.internal}, because they
 * may change in any release.
 * <p>
 * <strong>Words.</strong> A <em>node</em> is a server that votes on locks. A
 * <em>round</em> sends one operation to all nodes at once and counts their votes. A
 * <em>try</em> asks all nodes for a lock, with further rounds for its fence, its permit
 * or its run of a job. An <em>attempt</em> is a request for a lock with all its tries. A
 * <em>claim</em> is the keys of a lock and the secret token of their owner. A
 * <em>lease</em> is a lock that was granted. The <em>validity</em> of a lease is the time
 * for which its holder may trust the lease. The <em>loop</em> is the one thread on which
 * requests, queues and votes change. Other threads read snapshots, and may end a lease or
 * give up a request. Methods run on the loop unless their comments, or that of their
 * class, say otherwise.
 * <p>
 * <strong>Rooms.</strong> Each of these packages knows only packages that come later in
 * this list: {@code client} opens and closes the lock, {@code request} is a request on
 * its way, {@code lease} a lock that was granted, {@code waiting} decides when a request
 * asks the nodes, {@code vote} asks them, and {@code plan} is what a request wants.
 */
@NullMarked
package dev.redlock.internal.client;

import org.jspecify.annotations.NullMarked;
