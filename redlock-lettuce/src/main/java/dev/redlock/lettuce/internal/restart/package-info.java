/**
 * Has a server lost locks by a restart, a flush or an eviction? {@code DataHistory} is
 * the record of all clients on a server, with the rule in Lua and in Java, and
 * {@code RestartGuard} decides from it how long a node must wait before it votes.
 * <p>
 * Nothing here sends a command: {@code ServerCheck} of {@code internal.check} runs the
 * script, and {@code NodeStateMachine} of {@code internal.state} asks the guard. A model
 * among the tests, {@code restarts.als}, has the same rules, except for clock steps,
 * evictions and clusters, so change both.
 */
@NullMarked
package dev.redlock.lettuce.internal.restart;

import org.jspecify.annotations.NullMarked;
