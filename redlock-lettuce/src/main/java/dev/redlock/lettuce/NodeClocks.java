package dev.redlock.lettuce;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongPredicate;
import java.util.function.Supplier;

import dev.redlock.lettuce.ClockWatch.Gain;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Fault;
import dev.redlock.spi.Vote.Faulted;
import dev.redlock.spi.Vote.Granted;
import org.jspecify.annotations.Nullable;

/**
 * The clocks of the servers of one node. The clocks are kept when a connection ends, so
 * that a step is noticed even if it happened while the node was disconnected.
 */
final class NodeClocks {

	private final NodeContext context;

	private final Supplier<@Nullable CompletionStage<?>> question;

	private final LongPredicate listener;

	private final Map<String, ClockWatch> byPlace = new HashMap<>();

	private int doubts;

	/**
	 * Creates the clocks of a node.
	 * @param question asks the servers for their time; null without a connection
	 * @param listener receives the microseconds by which a clock stepped, and returns
	 * whether the node must be checked because of the step
	 */
	NodeClocks(NodeContext context, Supplier<@Nullable CompletionStage<?>> question, LongPredicate listener) {
		this.context = context;
		this.question = question;
		this.listener = listener;
		context.pauses().add(this);
	}

	/**
	 * Returns the clock of one server of the node, and assigns this clock to the given
	 * server process.
	 */
	ClockWatch of(String place, ServerFacts server) {
		ClockWatch clock = this.byPlace.computeIfAbsent(place,
				(unknown) -> new ClockWatch(this.context.settings(), this.context.ticker()));
		clock.turnTo(server);
		return clock;
	}

	void keepOnly(Set<String> places) {
		this.byPlace.keySet().retainAll(places);
	}

	/**
	 * Compares a server's time with the times before, to notice a step of its clock.
	 * @param clock the clock, or null if steps of the clock do not matter now
	 * @param sentNanos when the server was asked
	 * @param serverMicros the time that the server answered, or 0 without a time
	 */
	void observe(@Nullable ClockWatch clock, long sentNanos, long serverMicros) {
		PauseDetector pauses = this.context.pauses();
		if (clock == null || serverMicros == 0 || pauses.isBeforePause(sentNanos)) {
			return;
		}
		if (!pauses.isAsking()) {
			long stepMicros = clock.observe(sentNanos, serverMicros);
			if (stepMicros > 0) {
				pauses.clockStepped();
			}
			else if (stepMicros < 0) {
				this.listener.test(stepMicros);
			}
		}
		else if (pauses.isAfterStep(sentNanos)) {
			clock.keep(sentNanos, serverMicros);
		}
		else {
			clock.keepEarly(sentNanos, serverMicros);
		}
	}

	/**
	 * Checks the time in a vote, and completes a stage with the vote, or with a fault if
	 * a step since the command was sent makes the vote worthless. The vote on a claim is
	 * kept while it is unknown whether a clock has stepped or this process was paused. A
	 * granted extension counts in any case, because the key still holds its token.
	 * @param doubtsBefore the number of {@link #doubts} when the command was sent
	 */
	void complete(CompletableFuture<Vote> stage, Vote vote, LockScript script, @Nullable ClockWatch clock,
			long sentNanos, int doubtsBefore) {
		long serverMicros = serverMicros(vote);
		observe(clock, sentNanos, serverMicros);
		if (serverMicros == 0 || script == LockScript.EXTEND) {
			stage.complete(vote);
		}
		else if (this.context.pauses().isAsking()) {
			this.context.pauses().whenDecided(() -> complete(stage, vote, serverMicros, doubtsBefore));
		}
		else {
			complete(stage, vote, serverMicros, doubtsBefore);
		}
	}

	/**
	 * Returns how many steps made a check necessary so far.
	 */
	int doubts() {
		return this.doubts;
	}

	/**
	 * Asks the servers for their time.
	 * @return completes when they have answered; null without a connection
	 */
	@Nullable CompletionStage<?> ask() {
		return this.question.get();
	}

	/**
	 * Returns what each clock of the node has gained, or null if one gain is unknown.
	 */
	@Nullable Gain gain(boolean lately) {
		Gain all = null;
		for (ClockWatch clock : this.byPlace.values()) {
			Gain gain = clock.gain(lately);
			if (gain == null) {
				return null;
			}
			all = (all != null) ? all.and(gain) : gain;
		}
		return all;
	}

	/**
	 * Judges the answers that wait for the result of the pause detector.
	 * @param missedMicros the time that this client has missed
	 */
	void judge(long missedMicros) {
		for (ClockWatch clock : this.byPlace.values()) {
			long stepMicros = clock.judge(missedMicros);
			if (stepMicros > 0 && this.listener.test(stepMicros)) {
				this.doubts++;
			}
		}
	}

	/**
	 * Returns the time of the server, or 0 if the vote does not include a time.
	 */
	private static long serverMicros(Vote vote) {
		if (vote instanceof Granted granted) {
			return granted.nodeMicros();
		}
		return (vote instanceof Faulted faulted) ? faulted.nodeMicros() : 0;
	}

	private void complete(CompletableFuture<Vote> stage, Vote vote, long serverMicros, int doubtsBefore) {
		// The step may have ended the lock of another holder, so a grant does not count.
		stage.complete((this.doubts == doubtsBefore) ? vote : new Faulted(Fault.STALE,
				"The clock of the server stepped forward, so locks may end too early", true, serverMicros));
	}

}
