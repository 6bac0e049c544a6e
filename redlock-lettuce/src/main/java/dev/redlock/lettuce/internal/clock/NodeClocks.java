package dev.redlock.lettuce.internal.clock;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.function.Supplier;

import dev.redlock.lettuce.internal.clock.ClockWatch.Gain;
import dev.redlock.lettuce.internal.facts.ServerFacts;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Fault;
import dev.redlock.spi.Vote.Faulted;
import dev.redlock.spi.Vote.Granted;
import org.jspecify.annotations.Nullable;

/**
 * Watches the clocks of one node's servers for clock steps. The clock offsets of a server
 * are kept after a disconnect, so that a step during the disconnect is noticed.
 */
public final class NodeClocks {

	private final NodeContext context;

	private final Supplier<@Nullable CompletionStage<?>> question;

	private final LongPredicate listener;

	private final Map<String, ClockWatch> byPlace = new HashMap<>();

	private int forwardSteps;

	/**
	 * @param question asks the servers for their time, and returns null if the node is
	 * not connected
	 * @param listener receives by how many microseconds a server's clock stepped, and
	 * returns whether the node must be checked
	 */
	public NodeClocks(NodeContext context, Supplier<@Nullable CompletionStage<?>> question, LongPredicate listener) {
		this.context = context;
		this.question = question;
		this.listener = listener;
		context.pauses().add(this);
	}

	public ClockWatch of(String place, ServerFacts server) {
		ClockWatch known = this.byPlace.get(place);
		if (known != null && known.goesOnWith(server)) {
			return known;
		}
		ClockWatch clock = new ClockWatch(this.context.settings(), this.context.ticker(), server);
		this.byPlace.put(place, clock);
		return clock;
	}

	public void keepOnly(Set<String> places) {
		this.byPlace.keySet().retainAll(places);
	}

	/**
	 * @param clock the clock of the server, or null if clock steps do not matter now
	 * @param serverMicros the server's time in its answer, or 0 if the answer has no time
	 */
	public void observe(@Nullable ClockWatch clock, long sentNanos, long serverMicros) {
		if (clock != null && serverMicros != 0) {
			this.context.pauses().observe(this, clock, sentNanos, clock.range(sentNanos, serverMicros));
		}
	}

	/**
	 * Completes the future with the vote, or with a fault if a clock step makes the vote
	 * worthless. While a server's clock seems to have stepped, a vote on a new lock waits
	 * for the {@link PauseDetector}. A vote on an extension completes the future at once,
	 * because a granted extension proves that the lock key exists.
	 */
	public void complete(CompletableFuture<Vote> stage, Vote vote, boolean extension, @Nullable ClockWatch clock,
			long sentNanos, int forwardStepsBefore) {
		long serverMicros = serverMicros(vote);
		observe(clock, sentNanos, serverMicros);
		if (serverMicros == 0 || extension) {
			stage.complete(vote);
		}
		else {
			// A clock step may have ended the lock of another holder early, so a grant
			// after a step does not count.
			this.context.pauses()
				.whenDecided(() -> stage.complete((this.forwardSteps == forwardStepsBefore) ? vote
						: new Faulted(Fault.STALE,
								"The clock of the server stepped forward, so locks may end too early", true,
								serverMicros)));
		}
	}

	public int forwardSteps() {
		return this.forwardSteps;
	}

	/**
	 * Asks the servers for their time, or returns null if the node is not connected.
	 */
	@Nullable CompletionStage<?> ask() {
		return this.question.get();
	}

	Collection<ClockWatch> clocks() {
		return this.byPlace.values();
	}

	/**
	 * Returns how far the server clocks of the node got ahead, or null if this is unknown
	 * for one clock.
	 */
	@Nullable Gain gain(Function<ClockWatch, @Nullable Gain> ofClock) {
		Gain all = null;
		for (ClockWatch clock : this.byPlace.values()) {
			Gain gain = ofClock.apply(clock);
			if (gain == null) {
				return null;
			}
			all = (all != null) ? all.spanning(gain) : gain;
		}
		return all;
	}

	/**
	 * @param stepMicros by how much a clock stepped, negative for a step back
	 */
	void stepped(long stepMicros) {
		if (stepMicros != 0 && this.listener.test(stepMicros)) {
			this.forwardSteps++;
		}
	}

	private static long serverMicros(Vote vote) {
		if (vote instanceof Granted granted) {
			return granted.nodeMicros();
		}
		return (vote instanceof Faulted faulted) ? faulted.nodeMicros() : 0;
	}

}
