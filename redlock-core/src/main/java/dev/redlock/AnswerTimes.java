package dev.redlock;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import dev.redlock.spi.LockNode;
import dev.redlock.spi.Ticker;
import dev.redlock.spi.Vote;

/**
 * How long each node takes to vote in one round. Thread-safe.
 */
final class AnswerTimes {

	private final Ticker ticker;

	private final long startNanos;

	private final Map<LockNode, Duration> times = new ConcurrentHashMap<>();

	AnswerTimes(Ticker ticker) {
		this.ticker = ticker;
		this.startNanos = ticker.nanoTime();
	}

	/**
	 * The same operation, with the time that each node takes taken down.
	 */
	Function<LockNode, CompletionStage<Vote>> of(Function<LockNode, CompletionStage<Vote>> operation) {
		return (node) -> operation.apply(node).whenComplete((vote, failure) -> this.times.put(node, sinceStart()));
	}

	/**
	 * How long the node took; so far, if it has not answered.
	 */
	Duration of(LockNode node) {
		Duration time = this.times.get(node);
		return (time != null) ? time : sinceStart();
	}

	private Duration sinceStart() {
		return Duration.ofNanos(this.ticker.nanoTime() - this.startNanos);
	}

}
