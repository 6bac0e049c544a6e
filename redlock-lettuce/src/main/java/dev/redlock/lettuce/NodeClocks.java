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
 * Watches the clocks of the servers of one node for clock steps. The last known times are
 * kept after a disconnect, so that a step during the disconnect is noticed too.
 */
final class NodeClocks {

	private final NodeContext context;

	private final Supplier<@Nullable CompletionStage<?>> question;

	private final LongPredicate listener;

	private final Map<String, ClockWatch> byPlace = new HashMap<>();

	private int forwardSteps;

	/**
	 * Creates the clocks of the servers of one node.
	 * @param question asks the servers for their time; returns null if the node is not
	 * connected
	 * @param listener receives the microseconds by which a server's clock stepped, and
	 * returns whether the node must be checked because of the step
	 */
	NodeClocks(NodeContext context, Supplier<@Nullable CompletionStage<?>> question, LongPredicate listener) {
		this.context = context;
		this.question = question;
		this.listener = listener;
		context.pauses().add(this);
	}

	/**
	 * Returns the clock of one server of the node. Steps of this clock are detected for
	 * the given server process from now on.
	 */
	ClockWatch of(String place, ServerFacts server) {
		ClockWatch clock = this.byPlace.computeIfAbsent(place,
				(unknown) -> new ClockWatch(this.context.settings(), this.context.ticker()));
		clock.setServer(server);
		return clock;
	}

	void keepOnly(Set<String> places) {
		this.byPlace.keySet().retainAll(places);
	}

	/**
	 * Compares a server's time with its earlier times to notice a clock step.
	 * @param clock the clock of the server, or null if clock steps do not matter now
	 * @param sentNanos when the command was sent, by the client's monotonic clock
	 * @param serverMicros the server's time in its answer, or 0 if the answer has no time
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
			clock.storeUndecided(sentNanos, serverMicros);
		}
		else {
			clock.storeEarly(sentNanos, serverMicros);
		}
	}

	/**
	 * Checks the server's time in a vote and completes the future with the vote. If a
	 * clock step makes the vote worthless, the future is completed with a fault. If a
	 * clock step is possible but unproven, a vote on a new lock waits for the pause
	 * detector. A granted extension always counts, because the lock key still contains
	 * the token.
	 * @param forwardStepsBefore the number of {@link #forwardSteps} when the command was
	 * sent
	 */
	void complete(CompletableFuture<Vote> stage, Vote vote, LockScript script, @Nullable ClockWatch clock,
			long sentNanos, int forwardStepsBefore) {
		long serverMicros = serverMicros(vote);
		observe(clock, sentNanos, serverMicros);
		if (serverMicros == 0 || script == LockScript.EXTEND) {
			stage.complete(vote);
		}
		else if (this.context.pauses().isAsking()) {
			this.context.pauses().whenDecided(() -> complete(stage, vote, serverMicros, forwardStepsBefore));
		}
		else {
			complete(stage, vote, serverMicros, forwardStepsBefore);
		}
	}

	/**
	 * Returns how many clock steps have made a check of the node necessary so far.
	 */
	int forwardSteps() {
		return this.forwardSteps;
	}

	/**
	 * Asks the servers of the node for their time.
	 * @return completes when the servers have answered; null if the node is not connected
	 */
	@Nullable CompletionStage<?> ask() {
		return this.question.get();
	}

	/**
	 * Returns how much the server clocks of the node have gained, or null if the gain of
	 * one clock is unknown.
	 */
	@Nullable Gain gain(boolean recentOnly) {
		Gain all = null;
		for (ClockWatch clock : this.byPlace.values()) {
			Gain gain = clock.gain(recentOnly);
			if (gain == null) {
				return null;
			}
			all = (all != null) ? all.and(gain) : gain;
		}
		return all;
	}

	/**
	 * Decides for each stored answer of a server whether the server's clock stepped,
	 * after the pause detector has finished.
	 * @param pausedMicros how long this process was paused, in microseconds
	 */
	void decideSteps(long pausedMicros) {
		for (ClockWatch clock : this.byPlace.values()) {
			long stepMicros = clock.decideStep(pausedMicros);
			if (stepMicros > 0 && this.listener.test(stepMicros)) {
				this.forwardSteps++;
			}
		}
	}

	/**
	 * Returns the server's time in microseconds, or 0 if the vote has no time.
	 */
	private static long serverMicros(Vote vote) {
		if (vote instanceof Granted granted) {
			return granted.nodeMicros();
		}
		return (vote instanceof Faulted faulted) ? faulted.nodeMicros() : 0;
	}

	private void complete(CompletableFuture<Vote> stage, Vote vote, long serverMicros, int forwardStepsBefore) {
		// A clock step may have ended the lock of another holder early, so a grant after
		// a step does not count.
		stage.complete((this.forwardSteps == forwardStepsBefore) ? vote : new Faulted(Fault.STALE,
				"The clock of the server stepped forward, so locks may end too early", true, serverMicros));
	}

}
