/**
 * May this node vote? {@code NodeStateMachine} moves a node from state to state, and
 * {@code NodeStateHolder} publishes each {@code NodeState}, and logs and reports what is
 * new in it. {@code FailoverWarning} and {@code EvictionWarning} only warn. Whether a
 * checked server may have forgotten locks is decided in {@code internal.restart}.
 * <p>
 * Start with the state machine. Any thread may read its states, start and close it;
 * everything else runs on the event loop. This package asks the servers through
 * {@code internal.check}, and does not know who sends operations to the node.
 */
@NullMarked
package dev.redlock.lettuce.internal.state;

import org.jspecify.annotations.NullMarked;
