/**
 * The nodes of the lock on Redis.
 * <p>
 * A <em>node</em> has one vote on each lock. A <em>server</em> is a Redis process. A node
 * has one server, or the masters of one cluster. A <em>life</em> of a server is one
 * server process with one set of data. The <em>marker</em> is a Redis key that identifies
 * the data of a server. A <em>check</em> asks the servers for all facts that decide
 * whether the node may vote. The <em>state</em> of a node is the result of its last
 * check. The <em>event loop</em> is the only thread that changes state in this package.
 * Blocking tasks run on other threads, which pass their results to the event loop.
 * <p>
 * The classes of this package, in the order in which to read them:
 * <ol>
 * <li>The owner of all nodes: {@link dev.redlock.lettuce.LockNodes}, with
 * {@code NodeSettings} and {@code NodeContext}. The loop and the threads:
 * {@code NettyLoop} with its {@code RecentMaximum}, {@code NodeResources},
 * {@code HelperThreads}, {@code HelperThreadResolver}.</li>
 * <li>One node: {@code RedisLockNode} runs the operations. {@code NodeStateMachine} is
 * its state machine, with a picture of the states. {@code ConnectionKeeper} connects the
 * node, and {@code NodeStateHolder} publishes each {@code NodeState}.</li>
 * <li>The connection of a node: {@code NodeConnector} makes a {@code NodeConnection},
 * which is {@code NodeServers} over a {@code ServerConnection} to each server.
 * {@code MultiSlotCall} spreads a call over the slots of a cluster.</li>
 * <li>The connection to a server: {@code ServerConnection}, made by
 * {@code LettuceConnector} with a Lettuce client of the lock's own. A
 * {@code ServerConnection} sends a {@code ScriptCommand} for each operation of the lock,
 * and {@code ConnectionHealth} notices when a connection is dead.</li>
 * <li>Scripts: {@code LockScript} has the Lua, {@code ScriptCall} is one call.
 * {@code LoadedScripts}, {@code ScriptEncoder} and {@code ScriptArguments} encode the
 * call for a server, and {@code ScriptReply} reads the answer. {@code CounterKeys} names
 * the counters.</li>
 * <li>The check: {@code ServerCheck} makes a {@code ServerReport} of {@code ServerFacts},
 * {@code DataHistory} with {@code Marker}, and the result of acquiring a test key.
 * {@code RestartGuard} evaluates the report, {@code ServerRegistry} keeps two nodes from
 * sharing a server, and {@code FailoverWarning} only warns.</li>
 * <li>Clocks: {@code NodeClocks} and {@code ClockWatch} notice steps, and
 * {@code PauseDetector} distinguishes steps from pauses of this process.</li>
 * <li>Rights of the Redis user: {@code AclRules}.</li>
 * <li>Announcements of releases: {@code ReleaseSubscriptions}, over the connection that
 * carries the commands.</li>
 * <li>All nodes together: {@code QuorumWatch}, {@link dev.redlock.lettuce.NodeListener},
 * {@code Membership}.</li>
 * <li>Errors: {@code ServerErrors} are answers of a server, {@code ConnectionErrors} and
 * {@code TlsErrors} explain a lost or failed connection. {@code UnfitServerException}
 * ends a check.</li>
 * </ol>
 */
@NullMarked
package dev.redlock.lettuce;

import org.jspecify.annotations.NullMarked;
