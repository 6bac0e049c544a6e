package dev.redlock.lettuce.internal.connection;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.function.Consumer;

import dev.redlock.lettuce.internal.script.LockScript;
import dev.redlock.lettuce.internal.script.ScriptCall;
import dev.redlock.spi.Claim.Predecessor;
import dev.redlock.spi.EventLoop;
import dev.redlock.spi.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * Notices that a Redis connection is dead, because a command gets no answer for too long.
 * {@code NodeStateMachine} sends regular checks, so even an idle connection gets answers.
 */
final class ConnectionHealth {

	private static final int BEHIND_IN_OVERDUE = 4;

	private final EventLoop loop;

	private final Ticker ticker;

	private final long overdueNanos;

	private final long behindNanos;

	private final Deque<Sent> unanswered = new ArrayDeque<>();

	private boolean watching;

	/**
	 * A connection is dead only if several checks find the same command unanswered.
	 * Elapsed time alone does not prove a dead connection, because every server seems
	 * silent while this process is paused.
	 */
	private @Nullable Sent stuck;

	private int stuckChecks;

	private final Consumer<String> listener;

	ConnectionHealth(EventLoop loop, Ticker ticker, Duration overdue, Consumer<String> listener) {
		this.loop = loop;
		this.ticker = ticker;
		this.overdueNanos = overdue.toNanos();
		this.behindNanos = this.overdueNanos / BEHIND_IN_OVERDUE;
		this.listener = listener;
	}

	void stop() {
		this.unanswered.clear();
	}

	/**
	 * Whether the server is so late with an answer that this client should send no new
	 * requests for locks. After a pause of this process, each answer seems late until it
	 * is read, so two checks must find the same command unanswered.
	 */
	boolean isBehind() {
		return this.stuckChecks > 0 && this.stuck == this.unanswered.peek() && waitNanos() >= this.behindNanos;
	}

	long waitNanos() {
		Sent oldest = this.unanswered.peek();
		return (oldest != null) ? this.ticker.nanoTime() - oldest.nanos : 0;
	}

	int unanswered() {
		return this.unanswered.size();
	}

	/**
	 * Whether the server has not yet answered a release of the same token and of a lock
	 * key that the given script call uses. The acquire command of a successor is a
	 * release of its predecessor, too.
	 */
	boolean awaitsReleaseOf(ScriptCall call) {
		return this.unanswered.stream().anyMatch((command) -> command.releases(call));
	}

	/**
	 * Records the time at which a command is sent; {@code call} is null for commands
	 * other than lock scripts.
	 */
	Sent sent(@Nullable ScriptCall call) {
		Sent command = new Sent(this.ticker.nanoTime(), call);
		this.unanswered.add(command);
		if (!this.watching) {
			this.watching = true;
			checkAfter(this.behindNanos);
		}
		return command;
	}

	/**
	 * Removes the answered command and all older commands, which Redis would have
	 * answered before.
	 */
	void answered(Sent command) {
		Sent gone = this.unanswered.poll();
		while (gone != null && gone != command) {
			gone = this.unanswered.poll();
		}
	}

	void failed(Sent command) {
		this.unanswered.remove(command);
	}

	private void checkAfter(long nanos) {
		this.loop.schedule(Duration.ofNanos(nanos), this::check);
	}

	private void check() {
		Sent oldest = this.unanswered.peek();
		if (oldest == null) {
			this.stuck = null;
			this.watching = false;
			return;
		}
		long age = waitNanos();
		this.stuckChecks = (oldest == this.stuck) ? this.stuckChecks + 1 : 0;
		this.stuck = oldest;
		if (age >= this.overdueNanos && this.stuckChecks >= BEHIND_IN_OVERDUE - 1) {
			this.listener.accept("no answer for " + age / 1_000_000 + " ms");
		}
		checkAfter((age < this.behindNanos) ? this.behindNanos - Math.max(0, age) : this.behindNanos);
	}

	static final class Sent {

		private final long nanos;

		private final @Nullable ScriptCall call;

		private Sent(long nanos, @Nullable ScriptCall call) {
			this.nanos = nanos;
			this.call = call;
		}

		private boolean releases(ScriptCall other) {
			if (this.call == null || Collections.disjoint(this.call.keys(), other.keys())) {
				return false;
			}
			Predecessor predecessor = this.call.succeeds();
			// The script that marks a job writes more in front of the token.
			return (predecessor != null) ? predecessor.token().equals(other.token())
					: this.call.script() == LockScript.RELEASE && other.token().endsWith(this.call.token());
		}

	}

}
