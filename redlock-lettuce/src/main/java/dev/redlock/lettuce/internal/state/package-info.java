/**
 * May this node vote? {@code NodeStateMachine} moves a node from state to state, and
 * {@code NodeStateHolder} logs and publishes each {@code NodeState}. {@code RestartGuard}
 * decides whether a checked server may have forgotten locks. {@code FailoverWarning} and
 * {@code EvictionWarning} only warn.
 * <p>
 * Start with the state machine. Any thread may read its states, start and close it;
 * everything else runs on the event loop. This package asks the servers through
 * {@code internal.check}, and does not know who sends operations to the node.
 */
@NullMarked
package dev.redlock.lettuce.internal.state;

import org.jspecify.annotations.NullMarked;
