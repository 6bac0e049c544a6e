/**
 * Nodes of the lock over Redis.
 * <p>
 * Words: a <em>node</em> is one voter of the lock; a <em>server</em> is a Redis process,
 * of which a node has one, or the masters of one cluster; the <em>state</em> of a node
 * says whether it votes; a <em>check</em> asks its servers what they are; the
 * <em>marker</em> is a key that tells one set of data from another; the <em>event
 * loop</em> is the one thread that touches all state in this package. Work that blocks
 * runs on helper threads and posts its result to the loop.
 * <p>
 * The files in the order in which to read them:
 * <ul>
 * <li>Making and owning nodes: {@link dev.redlock.spring.redis.LockNodes},
 * {@link dev.redlock.spring.redis.NodeSettings},
 * {@link dev.redlock.spring.redis.NodeResources},
 * {@link dev.redlock.spring.redis.NettyLoop}.</li>
 * <li>A node: {@code RedisLockNode} and its life, the state machine {@code NodeLife},
 * with {@code ConnectionKeeper}, {@code NodeState} and {@code NodeStateHolder}.</li>
 * <li>What decides whether it votes: {@code NodeChecks} with {@code RestartGuard},
 * {@code ServerRegistry}, {@code FailoverWarning} and {@code MissingRights}. They judge a
 * {@code ServerReport} of {@code ServerFacts}, {@code DataHistory} and
 * {@code RightsCheck}. {@code NodeClocks} and {@code ClockWatch} notice clocks that
 * step.</li>
 * <li>What a node asks of its servers: {@code NodeConnection}, made by a
 * {@code NodeConnector}. One kind is over Lettuce ({@code LettuceConnector},
 * {@code LettuceNodeConnection}, {@code ServerCheck}), one over any connection factory
 * ({@code FactoryConnector}, {@code FactoryNodeConnection},
 * {@code FactoryConnection}).</li>
 * <li>Commands to one server: {@code ServerConnections}, {@code ServerConnection},
 * {@code ConnectionWatchdog}, {@code ServerCommand}, {@code SplitClaim}.</li>
 * <li>The Lua: {@code LockScript}, {@code LoadedScripts}, {@code ScriptArguments},
 * {@code ScriptReply}, {@code CounterKeys}, {@code Marker}.</li>
 * <li>Announcements of releases: {@code ReleaseSubscriptions},
 * {@code SubscriptionConnection}, {@code SubscribeCheck}.</li>
 * <li>All nodes together: {@code QuorumWatch}, {@code NodeListenerQueue},
 * {@code Membership}, {@code NodeList}.</li>
 * <li>Errors in words: {@code ServerErrors}, {@code ConnectionErrors},
 * {@code ConnectionErrors}, {@code TlsErrors}.</li>
 * </ul>
 */
@NullMarked
package dev.redlock.spring.redis;

import org.jspecify.annotations.NullMarked;
