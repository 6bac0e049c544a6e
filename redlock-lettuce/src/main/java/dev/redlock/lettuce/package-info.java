/**
 * The nodes of the lock on Redis: what a user configures, and what a lock asks.
 * <p>
 * A <em>node</em> has one vote on each lock. The <em>server</em> of a node is a Redis
 * process, or all masters of one Redis Cluster. The <em>marker</em> is a Redis key that
 * identifies the data of a server. A <em>check</em> asks the servers of a node for all
 * facts that decide whether the node may vote on locks. The <em>state</em> of a node says
 * whether it may vote: it follows from checks, from connections that are lost or refused,
 * and from the end of a quarantine. Only the event loop changes state in this module, but
 * any thread may start and close a node. Blocking tasks run on other threads.
 * <p>
 * {@link dev.redlock.lettuce.LockNodes} owns all nodes. {@code RedisLockNode} runs the
 * operations of one node, and {@code ReleaseSubscriptions} receives announcements of
 * releases. {@code QuorumWatch}, {@link dev.redlock.lettuce.NodeListener} and
 * {@code SettingsComparison} watch all nodes together.
 * {@link dev.redlock.lettuce.LockNodes} and {@link dev.redlock.lettuce.NodeListener} are
 * for applications.
 * <p>
 * The packages below, of which each knows only those that follow it:
 * <ol>
 * <li>{@code internal.state}: may this node vote</li>
 * <li>{@code internal.check}: reaching the servers of a node, and asking who they
 * are</li>
 * <li>{@code internal.connection}: one connection to one server, and the threads</li>
 * <li>{@code internal.restart}: whether a server may have lost locks</li>
 * <li>{@code internal.script}: the Lua scripts of the lock, and how they travel</li>
 * <li>{@code internal.clock}: clock steps of servers, and pauses of this process</li>
 * <li>{@code internal.facts}: settings, what a server says about itself, and errors in
 * words</li>
 * </ol>
 */
@NullMarked
package dev.redlock.lettuce;

import org.jspecify.annotations.NullMarked;
