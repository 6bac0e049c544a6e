package dev.redlock.lettuce;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

import dev.redlock.lettuce.ClockWatch.Gain;
import dev.redlock.spi.EventLoop;
import dev.redlock.spi.Scheduler.Timeout;
import dev.redlock.spi.Ticker;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Distinguishes a pause of this process from steps of servers' clocks. A monotonic clock
 * does not count the time for which its machine is suspended or moved, so the clocks of
 * all servers then seem to step forward.
 * <p>
 * When one clock seems to step, the detector asks all nodes for their time. It was a
 * pause if a majority answers, at least two nodes, and each clock that answers has gained
 * lately, and by the same within {@link ClockWatch#LEAST_STEP}. A single clock that has
 * not gained proves that the others have stepped. If most clocks have come closer to the
 * wall clock of this client, by half of their gain, they may have been set right
 * together, so that is no pause either.
 * <p>
 * One detector serves all nodes of a client, on the event loop.
 */
final class PauseDetector {

	private static final Logger logger = LoggerFactory.getLogger("dev.redlock.node");

	private static final long SAME_MICROS = TimeUnit.NANOSECONDS.toMicros(ClockWatch.LEAST_STEP.toNanos());

	private static final int LEAST_WITNESSES = 2;

	/**
	 * The most rounds of questions. Slow answers are not exact enough, and then all nodes
	 * are asked again.
	 */
	private static final int MOST_ROUNDS = 5;

	private final int size;

	private final EventLoop loop;

	private final Ticker ticker;

	private final Duration patience;

	private final List<NodeClocks> nodes = new ArrayList<>();

	/** The tasks that wait for the answers of the nodes. */
	private final List<Runnable> waiting = new ArrayList<>();

	/** Completes when all nodes have answered; null unless they are being asked. */
	private @Nullable CompletableFuture<Void> answers;

	private long askedNanos;

	private Timeout timer = Timeout.NONE;

	private volatile long missedNanos;

	/**
	 * Creates a detector.
	 * @param size the number of nodes of the client
	 */
	PauseDetector(int size, NodeSettings settings, EventLoop loop, Ticker ticker) {
		this.size = size;
		this.loop = loop;
		this.ticker = ticker;
		this.patience = settings.nodeTimeout();
	}

	void add(NodeClocks node) {
		this.nodes.add(node);
	}

	/**
	 * Returns the time that the monotonic clock of this process has missed so far.
	 * Thread-safe.
	 */
	long missedNanos() {
		return this.missedNanos;
	}

	/** Whether nodes are being asked for their time. */
	boolean isAsking() {
		return this.answers != null;
	}

	/**
	 * Whether an answer was asked for after the clock had seemed to step.
	 */
	boolean isAfterStep(long sentNanos) {
		return sentNanos - this.askedNanos >= 0;
	}

	/** Runs a task when it is known whether this process was paused. */
	void whenDecided(Runnable task) {
		this.waiting.add(task);
	}

	/**
	 * Asks all nodes for their time, because a clock seems to have stepped. One node
	 * alone cannot show whether it was a pause or a step.
	 */
	void clockStepped() {
		this.askedNanos = this.ticker.nanoTime();
		ask(this.size >= LEAST_WITNESSES ? MOST_ROUNDS : 0);
	}

	private void ask(int rounds) {
		CompletableFuture<Void> asked = CompletableFuture
			.allOf(((rounds > 0) ? this.nodes : List.<NodeClocks>of()).stream()
				.map(NodeClocks::ask)
				.filter(Objects::nonNull)
				.map(CompletionStage::toCompletableFuture)
				.toArray(CompletableFuture[]::new));
		this.answers = asked;
		this.timer = this.loop.schedule(this.patience, () -> decide(asked, rounds - 1));
		asked.whenComplete((all, failure) -> decide(asked, rounds - 1));
	}

	private void decide(CompletableFuture<Void> asked, int rounds) {
		if (this.answers != asked) {
			return;
		}
		this.timer.cancel();
		List<Gain> gains = this.nodes.stream().map(NodeClocks::gain).filter(Objects::nonNull).toList();
		LongSummaryStatistics least = gains.stream().mapToLong(Gain::least).summaryStatistics();
		LongSummaryStatistics most = gains.stream().mapToLong(Gain::most).summaryStatistics();
		boolean enough = gains.size() >= Math.max(LEAST_WITNESSES, this.size / 2 + 1);
		boolean same = enough && most.getMax() - least.getMin() <= SAME_MICROS;
		boolean maybeSame = least.getMax() - most.getMin() <= SAME_MICROS;
		if (!same && rounds > 0 && maybeSame) {
			// The network may be slow right after a pause.
			ask(rounds);
			return;
		}
		this.answers = null;
		boolean setRight = gains.stream().filter(Gain::correction).count() > gains.size() / 2;
		boolean paused = same && least.getMin() > 0 && !setRight;
		if (paused) {
			missed(most.getMax(), gains.size());
		}
		// Uses the shortest pause that explains the answers, so that no step is hidden by
		// it.
		this.nodes.forEach((node) -> node.judge(paused ? least.getMin() : 0));
		List<Runnable> decided = List.copyOf(this.waiting);
		this.waiting.clear();
		decided.forEach(Runnable::run);
	}

	/**
	 * Counts the longest pause that explains the answers.
	 */
	private void missed(long micros, int witnesses) {
		// Only this thread writes.
		this.missedNanos = this.missedNanos + TimeUnit.MICROSECONDS.toNanos(micros);
		logger.warn("This process missed {} ms: it was paused, suspended or moved, and its monotonic clock did not "
				+ "count the time. The clocks of {} of {} redlock nodes show it. Its leases end that much earlier.",
				TimeUnit.MICROSECONDS.toMillis(micros), witnesses, this.size);
	}

}
