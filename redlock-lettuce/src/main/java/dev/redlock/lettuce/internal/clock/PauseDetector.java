package dev.redlock.lettuce.internal.clock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
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
 * When one server's clock seems to step, the detector asks all nodes for their time. This
 * process was paused if the clocks of all answering servers got ahead, a majority of them
 * equally far. If one server's clock did not get ahead, each clock that got ahead has
 * stepped. If most server clocks came closer to this client's wall clock, they were
 * probably corrected, so they have stepped.
 */
public final class PauseDetector {

	private static final Logger logger = LoggerFactory.getLogger("dev.redlock.node");

	private static final long SAME_MICROS = TimeUnit.NANOSECONDS.toMicros(ClockWatch.LEAST_STEP.toNanos());

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
			ask(this.suspicion, (this.nodes.size() >= LEAST_WITNESSES) ? MOST_ROUNDS : 0);
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
	 * Asks all nodes for their time, because one node alone cannot show whether its clock
	 * stepped or this process was paused.
	 */
	private void ask(Suspicion current, int rounds) {
		CompletableFuture<Void> asked = CompletableFuture
			.allOf(((rounds > 0) ? this.nodes : List.<NodeClocks>of()).stream()
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
		List<Gain> all = gains(current, false);
		List<Gain> recent = gains(current, true);
		List<Gain> gains = (least(all) > least(recent)) ? all : recent;
		if (rounds > 0 && mayBecomeExact(gains)) {
			// The network may be slow right after a pause, so all nodes are asked for
			// their time again.
			ask(current, rounds);
			return;
		}
		// The shortest pause that explains all answers is used, because a longer pause
		// could hide a clock step.
		long pause = least(gains);
		long agreeing = all.stream().filter((gain) -> gain.least() - pause <= SAME_MICROS).count();
		boolean paused = pause > 0 && agreeing >= this.majority && !wereCorrected(recent);
		this.suspicion = null;
		if (paused) {
			this.pausedNanos = current.askedNanos;
		}
		countGains(gains, paused);
		for (NodeClocks node : this.nodes) {
			node.clocks()
				.forEach((clock) -> node.stepped(clock.decide(paused ? pause : 0, current.shown(clock, paused))));
		}
		current.waiting.forEach(Runnable::run);
	}

	private void countGains(List<Gain> gains, boolean paused) {
		List<Gain> highest = gains.stream().sorted(Comparator.comparingLong(Gain::most).reversed()).toList();
		if (paused) {
			missed(highest.get(0).most(),
					"This process was paused, suspended or moved, and its monotonic clock did not count the pause. The "
							+ "clocks of a majority of the redlock nodes show the pause.");
		}
		else if (highest.size() >= this.majority && highest.get(this.majority - 1).least() > SAME_MICROS) {
			// If the clocks of a majority of the servers step forward, a majority of a
			// lock's keys expire early.
			missed(highest.get(this.majority - 1).most(),
					"The clocks of a majority of the redlock nodes have stepped forward.");
		}
	}

	/**
	 * Returns how far the server clocks of each node got ahead, without the nodes of
	 * which this is unknown for one clock.
	 */
	private List<Gain> gains(Suspicion current, boolean recentOnly) {
		return this.nodes.stream()
			.map((node) -> node.gain((clock) -> clock.gain(current.late.get(clock), recentOnly)))
			.filter(Objects::nonNull)
			.toList();
	}

	private static long least(List<Gain> gains) {
		return gains.stream().mapToLong(Gain::least).min().orElse(0);
	}

	/**
	 * Whether the answers fit a pause but are too few or too slow to prove a pause.
	 */
	private boolean mayBecomeExact(List<Gain> gains) {
		if (gains.isEmpty()) {
			return true;
		}
		LongSummaryStatistics least = gains.stream().mapToLong(Gain::least).summaryStatistics();
		LongSummaryStatistics most = gains.stream().mapToLong(Gain::most).summaryStatistics();
		boolean exact = gains.size() >= this.majority && most.getMax() - least.getMin() <= SAME_MICROS;
		return !exact && least.getMax() - most.getMin() <= SAME_MICROS;
	}

	private static boolean wereCorrected(List<Gain> gains) {
		return gains.stream().filter(Gain::correction).count() > gains.size() / 2;
	}

	private void missed(long micros, String reason) {
		// Only the event loop writes this field, so the update need not be atomic.
		this.missedNanos = this.missedNanos + TimeUnit.MICROSECONDS.toNanos(micros);
		logger.warn("{} The leases of this process end {} ms earlier.", reason, TimeUnit.MICROSECONDS.toMillis(micros));
	}

	/**
	 * What is known since one server's clock seemed to step.
	 *
	 * @param first the clock offset that shows the step
	 * @param early the clock offsets from commands that were sent before a possible pause
	 * @param late the clock offsets from commands that were sent since the suspicion
	 */
	private record Suspicion(long askedNanos, Range first, Map<ClockWatch, Range> early, Map<ClockWatch, Range> late,
			List<Runnable> waiting) {

		void add(ClockWatch clock, long sentNanos, Range range) {
			if (sentNanos - this.askedNanos >= 0) {
				this.late.merge(clock, range, (known, next) -> (known == this.first) ? next : known.and(next));
			}
			else {
				this.early.put(clock, range);
			}
		}

		/**
		 * Returns the offset that may show a step of a clock, or null. After a pause, an
		 * offset from before it shows none.
		 */
		@Nullable Range shown(ClockWatch clock, boolean paused) {
			Range known = this.late.get(clock);
			return (known != null || paused) ? known : this.early.get(clock);
		}

	}

}
