package dev.redlock.lettuce.internal.clock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

import dev.redlock.QuorumStatus;
import dev.redlock.lettuce.internal.clock.ClockWatch.Gain;
import dev.redlock.lettuce.internal.clock.ClockWatch.Range;
import dev.redlock.lettuce.internal.facts.NodeSettings;
import dev.redlock.spi.EventLoop;
import dev.redlock.spi.Scheduler.Timeout;
import dev.redlock.spi.Ticker;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Distinguishes a pause of this process from clock steps of servers. The monotonic clock
 * of this process stands still while its machine is suspended or moved. After a pause of
 * this process, the clocks of all servers seem to have stepped forward.
 * <p>
 * When one server's clock seems to step, the detector asks all nodes for their time, and
 * {@link Gains} decides. Votes on new locks wait meanwhile.
 */
public final class PauseDetector {

	private static final Logger logger = LoggerFactory.getLogger("dev.redlock.node");

	private static final String PAUSED = "This process was paused, suspended or moved, and its monotonic clock did not "
			+ "count the pause. The clocks of a majority of the redlock nodes show the pause.";

	private static final String STEPPED = "The clocks of a majority of the redlock nodes have stepped forward.";

	private static final int LEAST_WITNESSES = 2;

	/**
	 * Slow answers do not show a server's time exactly enough, so all nodes are asked
	 * again after slow answers.
	 */
	private static final int MOST_ROUNDS = 5;

	private final int majority;

	private final EventLoop loop;

	private final Ticker ticker;

	private final Duration patience;

	private final List<NodeClocks> nodes = new ArrayList<>();

	/**
	 * Null while no clock seems to have stepped.
	 */
	private @Nullable Suspicion suspicion;

	/**
	 * When the nodes were asked for the answers that proved the last pause; null before
	 * any pause.
	 */
	private @Nullable Long pausedNanos;

	private volatile long missedNanos;

	public PauseDetector(int size, NodeSettings settings, EventLoop loop, Ticker ticker) {
		this.majority = Math.max(LEAST_WITNESSES, QuorumStatus.majorityOf(size));
		this.loop = loop;
		this.ticker = ticker;
		this.patience = settings.nodeTimeout();
	}

	void add(NodeClocks node) {
		this.nodes.add(node);
	}

	/**
	 * Returns how long this process was paused so far. A step forward of a majority of
	 * the server clocks counts as a pause of this process.
	 */
	public long missedNanos() {
		return this.missedNanos;
	}

	/**
	 * Compares the time in an answer of a server with its earlier times. The answer to a
	 * question from before the last pause says nothing.
	 */
	void observe(NodeClocks node, ClockWatch clock, long sentNanos, Range range) {
		if (this.pausedNanos != null && sentNanos - this.pausedNanos < 0) {
			return;
		}
		if (this.suspicion != null) {
			this.suspicion.add(clock, sentNanos, range);
			return;
		}
		long stepMicros = clock.observe(range);
		if (stepMicros > 0) {
			this.suspicion = new Suspicion(this.ticker.nanoTime(), range, new HashMap<>(),
					new HashMap<>(Map.of(clock, range)), new ArrayList<>());
			if (this.nodes.size() >= LEAST_WITNESSES) {
				ask(this.suspicion, MOST_ROUNDS);
			}
			else {
				decide(this.suspicion, 0);
			}
		}
		else if (stepMicros < 0) {
			node.stepped(stepMicros);
		}
	}

	/**
	 * Runs a task as soon as no clock seems to have stepped.
	 */
	void whenDecided(Runnable task) {
		if (this.suspicion != null) {
			this.suspicion.waiting.add(task);
		}
		else {
			task.run();
		}
	}

	/**
	 * Asks all nodes for their time, in up to so many rounds, because one node alone
	 * cannot show whether its clock stepped or this process was paused.
	 */
	private void ask(Suspicion current, int rounds) {
		CompletableFuture<Void> asked = CompletableFuture.allOf(this.nodes.stream()
			.map(NodeClocks::ask)
			.filter(Objects::nonNull)
			.map(CompletionStage::toCompletableFuture)
			.toArray(CompletableFuture[]::new));
		Timeout timer = this.loop.schedule(this.patience, () -> asked.complete(null));
		asked.whenComplete((all, failure) -> {
			timer.cancel();
			decide(current, rounds - 1);
		});
	}

	private void decide(Suspicion current, int rounds) {
		Gains gains = new Gains(gains(current, false), gains(current, true), this.majority);
		if (rounds > 0 && gains.areTooVague()) {
			ask(current, rounds);
			return;
		}
		long pause = gains.pauseMicros();
		this.suspicion = null;
		if (pause > 0) {
			this.pausedNanos = current.askedNanos;
		}
		missed(gains.missedMicros(), (pause > 0) ? PAUSED : STEPPED);
		for (NodeClocks node : this.nodes) {
			node.clocks().forEach((clock) -> node.stepped(clock.goOn(pause, current.shown(clock, pause > 0))));
		}
		current.waiting.forEach(Runnable::run);
	}

	/**
	 * Returns how far the server clocks of each node got ahead, without the nodes of
	 * which this is unknown for one clock.
	 */
	private List<Gain> gains(Suspicion current, boolean recentOnly) {
		return this.nodes.stream()
			.map((node) -> node.gain((clock) -> clock.gain(current.since.get(clock), recentOnly)))
			.filter(Objects::nonNull)
			.toList();
	}

	private void missed(long micros, String reason) {
		if (micros > 0) {
			// Only the event loop writes this field, so the update need not be atomic.
			this.missedNanos = this.missedNanos + TimeUnit.MICROSECONDS.toNanos(micros);
			logger.warn("{} The leases of this process end {} ms earlier.", reason,
					TimeUnit.MICROSECONDS.toMillis(micros));
		}
	}

	/**
	 * What is known since one server's clock seemed to step.
	 *
	 * @param first the clock offset that shows the step
	 * @param before the clock offsets from commands that were sent before the suspicion,
	 * and so perhaps answered before a pause
	 * @param since the clock offsets from commands that were sent since the suspicion;
	 * {@code first} is among them until its server answers again
	 */
	private record Suspicion(long askedNanos, Range first, Map<ClockWatch, Range> before, Map<ClockWatch, Range> since,
			List<Runnable> waiting) {

		void add(ClockWatch clock, long sentNanos, Range range) {
			if (sentNanos - this.askedNanos >= 0) {
				this.since.merge(clock, range, (known, next) -> (known == this.first) ? next : known.narrowedBy(next));
			}
			else {
				this.before.put(clock, range);
			}
		}

		/**
		 * Returns the offset that may show a step of a clock, or null. After a pause, an
		 * offset from before it shows none.
		 */
		@Nullable Range shown(ClockWatch clock, boolean paused) {
			Range known = this.since.get(clock);
			return (known != null || paused) ? known : this.before.get(clock);
		}

	}

}
