package dev.redlock.lettuce;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

import dev.redlock.spi.NodeStatus;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Vote.Fault;
import dev.redlock.spi.Vote.Faulted;
import org.jspecify.annotations.Nullable;

/**
 * The state of a node at one moment, with the connection that it describes. The state and
 * the connection are in one object, so that an old state is never combined with a new
 * connection.
 *
 * @param state the state
 * @param reason a sentence for people, empty for a ready node
 * @param untilNanos the end of a quarantine by the monotonic clock, otherwise 0
 * @param connection the connection, or null without a connection
 * @param extendable whether the node may extend locks that it already has
 */
record NodeState(State state, String reason, long untilNanos, @Nullable NodeConnection connection, boolean extendable) {

	static NodeState of(State state, String reason, @Nullable NodeConnection connection) {
		return new NodeState(state, reason, 0, connection, state == State.READY);
	}

	static NodeState ready(@Nullable NodeConnection connection) {
		return of(State.READY, "", connection);
	}

	/**
	 * Returns the state of a node in quarantine. The reason contains the end of the
	 * quarantine instead of the remaining time, because the reason is shown until the
	 * end.
	 */
	static NodeState quarantined(String reason, Duration remaining, long nowNanos, @Nullable NodeConnection connection,
			boolean extendable) {
		Instant end = Instant.now().plus(remaining).truncatedTo(ChronoUnit.SECONDS);
		String text = reason + ". The node votes again after " + end;
		return new NodeState(State.QUARANTINED, text, nowNanos + remaining.toNanos(), connection, extendable);
	}

	/**
	 * Returns the state for a server that answered a command of the check with an error.
	 * @param aclRules the rights that the user needs
	 * @param extendable whether the server may extend locks as soon as it answers again
	 */
	static NodeState checkRefused(String error, String aclRules, @Nullable NodeConnection connection,
			boolean extendable) {
		if (ServerErrors.is("LOADING", error)) {
			return of(State.UNAVAILABLE, "The server is loading its data", connection);
		}
		Faulted fault = ServerErrors.fault(error);
		if (ServerErrors.refusesWrites(error)) {
			// The server still has its locks, and extending them needs no memory.
			return new NodeState(State.UNFIT, "The server refuses all writes. " + fault.detail(), 0, connection,
					ServerErrors.is("OOM", error));
		}
		if (ServerErrors.isNoPermission(error)) {
			return of(State.UNFIT, "The Redis user lacks a right. " + fault.detail()
					+ ". The ACL of the Redis user needs all of: " + aclRules, connection);
		}
		State state = (fault.fault() == Fault.UNAVAILABLE) ? State.UNAVAILABLE : State.UNFIT;
		return new NodeState(state, "The server refused a command of the check. " + fault.detail(), 0, connection,
				extendable);
	}

	NodeStatus status(long nowNanos) {
		if (this.state == State.READY) {
			return NodeStatus.READY;
		}
		if (this.state != State.QUARANTINED) {
			return NodeStatus.of(this.state, this.reason);
		}
		return new NodeStatus(this.state, this.reason, remaining(nowNanos));
	}

	/**
	 * Whether the node votes now or will vote after its quarantine.
	 */
	boolean mayVoteSoon() {
		return this.state == State.READY || this.state == State.QUARANTINED;
	}

	/**
	 * Whether the node may run a script as its vote.
	 */
	boolean allows(LockScript script) {
		return this.state == State.READY || (this.extendable && script == LockScript.EXTEND);
	}

	/**
	 * Returns the time that is left of a quarantine.
	 */
	Duration remaining(long nowNanos) {
		return Duration.ofNanos(Math.max(0, this.untilNanos - nowNanos));
	}

	/**
	 * Returns the answer of the node while it does not vote.
	 */
	Faulted denial() {
		return switch (this.state) {
			case UNAVAILABLE -> new Faulted(Fault.UNAVAILABLE, "Not connected: " + this.reason, false);
			case CHECKING ->
				new Faulted(Fault.UNAVAILABLE, "The node is connected and being checked: " + this.reason, false);
			case QUARANTINED -> new Faulted(Fault.STALE, "In quarantine: " + this.reason, false);
			case UNFIT -> new Faulted(Fault.MISCONFIGURED, "The node is not fit for locks: " + this.reason, false);
			case READY -> new Faulted(Fault.ERROR, "The node is ready", false);
		};
	}

}
