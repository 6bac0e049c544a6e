/**
 * The nodes of the lock on Redis.
 * <p>
 * A <em>node</em> has one vote on each lock. The <em>server</em> of a node is a Redis
 * process, or all masters of one Redis Cluster. The <em>marker</em> is a Redis key that
 * identifies the data of a server. A <em>check</em> asks the servers of a node for all
 * facts that decide whether the node may vote on locks. The <em>state</em> of a node is
 * the result of its last check. Only the event loop changes state in this package, and
 * blocking tasks run on other threads.
 * <p>
 * The classes of this package, in the order in which to read them:
 * <ol>
 * <li>{@link dev.redlock.lettuce.LockNodes} owns all nodes, with {@code NodeSettings} and
 * {@code NodeContext}.</li>
 * <li>{@code NettyLoop} is the event loop. {@code NodeResources}, {@code HelperThreads}
 * and {@code HelperThreadResolver} own the threads.</li>
 * <li>{@code RedisLockNode} runs the operations of one node. {@code NodeStateMachine}
 * changes the {@code NodeState}, and {@code NodeStateHolder} publishes it.</li>
 * <li>{@code ConnectionKeeper} connects a node by a {@code NodeConnector}.
 * {@code LettuceConnector} connects by a Lettuce client that only the lock uses.</li>
 * <li>{@code NodeServers} implements {@code NodeConnection} by a {@code ServerConnection}
 * to each server. {@code MultiSlotCall} spreads a call over the slots of a cluster.
 * {@code ConnectionHealth} notices when a connection is dead.</li>
 * <li>{@code LockScript} has the Lua scripts. {@code ScriptCall}, {@code ScriptCommand},
 * {@code BoundScripts}, {@code ScriptEncoder} and {@code ScriptArguments} call a script,
 * {@code ScriptReply} reads its answer, and {@code CounterKeys} names the counters.</li>
 * <li>{@code ServerCheck} reads {@code ServerFacts}, {@code Marker} and
 * {@code DataHistory} into a {@code ServerReport}, and tries the lock scripts.</li>
 * <li>{@code RestartGuard} and {@code ServerRegistry} decide whether a checked server may
 * vote, and {@code FailoverWarning} only warns.</li>
 * <li>{@code NodeClocks} and {@code ClockWatch} notice clock steps of servers, and
 * {@code PauseDetector} distinguishes them from pauses of this process.</li>
 * <li>{@code ReleaseSubscriptions} receives announcements of releases.</li>
 * <li>{@code QuorumWatch}, {@link dev.redlock.lettuce.NodeListener} and
 * {@code SettingsComparison} watch all nodes together.</li>
 * <li>{@code AclRules} lists the rights of the Redis user.</li>
 * <li>{@code ServerErrors}, {@code ConnectionErrors}, {@code TlsErrors} and
 * {@code UnfitServerException} explain errors.</li>
 * </ol>
 */
@NullMarked
package dev.redlock.lettuce;

import org.jspecify.annotations.NullMarked;
