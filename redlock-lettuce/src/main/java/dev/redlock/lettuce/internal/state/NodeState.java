package dev.redlock.lettuce.internal.state;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

import dev.redlock.lettuce.internal.connection.NodeConnection;
import dev.redlock.lettuce.internal.facts.ServerErrors;
import dev.redlock.lettuce.internal.restart.RestartGuard.Verdict;
import dev.redlock.lettuce.internal.script.LockScript;
import dev.redlock.spi.NodeStatus;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Vote.Fault;
import dev.redlock.spi.Vote.Faulted;
import org.jspecify.annotations.Nullable;

/**
 * The state of a node at one moment, with its Redis connection. State and connection
 * change together, so that no thread combines an old state with a new connection.
 *
 * @param reason a sentence for people that explains the state, empty for a ready node
 * @param untilNanos when a QUARANTINED node votes on locks again, by the monotonic clock;
 * 0 in any other state
 * @param until the wall-clock time of {@code untilNanos}, for people; null in any other
 * state
 * @param extendable whether the node may extend locks that it already has
 */
public record NodeState(State state, String reason, long untilNanos, @Nullable Instant until,
		@Nullable NodeConnection connection, boolean extendable) {

	NodeState(State state, String reason, @Nullable NodeConnection connection, boolean extendable) {
		this(state, reason, 0, null, connection, extendable);
	}

	static NodeState of(State state, String reason, @Nullable NodeConnection connection) {
		return new NodeState(state, reason, connection, state == State.READY);
	}

	static NodeState ready(@Nullable NodeConnection connection) {
		return of(State.READY, "", connection);
	}

	static NodeState after(Verdict verdict, long nowNanos, NodeConnection checked) {
		return (verdict.state() == State.QUARANTINED)
				? quarantined(verdict.reason(), verdict.remaining(), nowNanos, checked, verdict.extendable())
				: of(verdict.state(), verdict.reason(), checked);
	}

	/**
	 * The text names the time at which the quarantine ends, because a remaining duration
	 * would become outdated.
	 */
	static NodeState quarantined(String reason, Duration remaining, long nowNanos, @Nullable NodeConnection connection,
			boolean extendable) {
		Instant end = Instant.now().plus(remaining).truncatedTo(ChronoUnit.SECONDS);
		String text = reason + ". The node votes again after " + end;
		return new NodeState(State.QUARANTINED, text, nowNanos + remaining.toNanos(), end, connection, extendable);
	}

	/**
	 * Returns the state of a node whose server answered a command of the check with an
	 * error.
	 * @param extendable whether the node may extend locks as soon as its server answers
	 * again
	 */
	static NodeState checkRefused(String error, String aclRules, @Nullable NodeConnection connection,
			boolean extendable) {
		if (ServerErrors.is("LOADING", error)) {
			return of(State.UNAVAILABLE, "The server is loading its data", connection);
		}
		Faulted fault = ServerErrors.fault(error);
		if (ServerErrors.refusesWrites(error)) {
			// A server without free memory still has its locks, and Redis needs no memory
			// to extend them.
			return new NodeState(State.UNFIT, "The server refuses all writes. " + fault.detail(), connection,
					ServerErrors.is("OOM", error));
		}
		if (ServerErrors.isNoPermission(error)) {
			return of(State.UNFIT, "The Redis user lacks a right. " + fault.detail()
					+ ". The ACL of the Redis user needs all of: " + aclRules, connection);
		}
		State state = (fault.fault() == Fault.UNAVAILABLE) ? State.UNAVAILABLE : State.UNFIT;
		return new NodeState(state,
				"The lock cannot check the server, because the server refused a command. " + fault.detail(), connection,
				extendable);
	}

	public NodeStatus status(long nowNanos) {
		if (this.state == State.READY) {
			return NodeStatus.READY;
		}
		if (this.state != State.QUARANTINED) {
			return NodeStatus.of(this.state, this.reason);
		}
		return new NodeStatus(this.state, this.reason, remaining(nowNanos));
	}

	boolean mayVoteSoon() {
		return this.state == State.READY || this.state == State.QUARANTINED;
	}

	public boolean allows(LockScript script) {
		return this.state == State.READY || (this.extendable && script == LockScript.EXTEND);
	}

	Duration remaining(long nowNanos) {
		return Duration.ofNanos(Math.max(0, this.untilNanos - nowNanos));
	}

	/**
	 * Returns the fault with which the node answers while it does not vote on locks.
	 */
	public Faulted denial() {
		return switch (this.state) {
			case UNAVAILABLE -> new Faulted(Fault.UNAVAILABLE, "Not connected: " + this.reason, false);
			case CHECKING ->
				new Faulted(Fault.UNAVAILABLE, "The node is connected and being checked: " + this.reason, false);
			case QUARANTINED -> new Faulted(Fault.STALE, "In quarantine: " + this.reason, false, 0, this.until);
			case UNFIT -> new Faulted(Fault.MISCONFIGURED, "The node is not fit for locks: " + this.reason, false);
			case READY -> new Faulted(Fault.ERROR, "The node is ready", false);
		};
	}

}
