/**
 * Reaching the servers of a node, and asking them who they are. {@code ConnectionKeeper}
 * connects a node by a {@code NodeConnector}, and connects it again after a loss.
 * {@code LettuceConnector} connects by a Lettuce client that only the lock uses, and
 * makes {@code NodeServers}: one connection for each server of the node.
 * {@code MultiSlotCall} spreads a call over the hash slots of a cluster.
 * {@code ServerCheck} asks for everything that a {@code ServerReport} contains.
 * <p>
 * This package reads what servers answer. The check fails at a server that
 * {@code ServerFacts.orRefuse} refuses, and writes nothing to a server that
 * {@code ServerFacts} calls unfit. Whether the node may vote is decided in
 * {@code internal.restart} and {@code internal.state}.
 */
@NullMarked
package dev.redlock.lettuce.internal.check;

import org.jspecify.annotations.NullMarked;
