package dev.redlock.sample.demo;

import java.time.Duration;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;

import dev.redlock.sample.demo.Turn.Phase;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/**
 * Measures the speed of the sale over the last few seconds. Thread-safe.
 */
@Component
@FirstJvm
final class Figures {

	private static final Duration SALES_WINDOW = Duration.ofSeconds(3);

	private static final Duration WAITS_WINDOW = Duration.ofSeconds(10);

	private final Deque<Long> sales = new ConcurrentLinkedDeque<>();

	private final Deque<Wait> waits = new ConcurrentLinkedDeque<>();

	private volatile long lastSaleMicros;

	void count(Turn turn) {
		if (turn.phase() == Phase.SOLD) {
			this.sales.add(turn.endMicros());
			this.lastSaleMicros = turn.endMicros();
		}
		boolean ended = turn.endMicros() > 0;
		if (ended && turn.protection().locks() && turn.holdingMicros() > 0) {
			this.waits.add(new Wait(turn.endMicros(), turn.holdingMicros() - turn.waitingMicros()));
		}
	}

	long lastSaleMicros() {
		return this.lastSaleMicros;
	}

	void clear() {
		this.sales.clear();
		this.waits.clear();
	}

	Speed speed(long nowMicros) {
		this.sales.removeIf((micros) -> nowMicros - micros > micros(SALES_WINDOW));
		this.waits.removeIf((wait) -> nowMicros - wait.endMicros > micros(WAITS_WINDOW));
		long[] sorted = this.waits.stream().mapToLong(Wait::waitMicros).sorted().toArray();
		double perSecond = this.sales.size() * 1_000_000.0 / micros(SALES_WINDOW);
		return new Speed(perSecond, percentile(sorted, 50), percentile(sorted, 99));
	}

	private static @Nullable Double percentile(long[] sorted, int percent) {
		if (sorted.length == 0) {
			return null;
		}
		int rank = (sorted.length * percent + 99) / 100;
		return sorted[Math.max(0, rank - 1)] / 1_000.0;
	}

	private static long micros(Duration duration) {
		return duration.toNanos() / 1_000;
	}

	/**
	 * The speed of the sale.
	 *
	 * @param soldPerSecond units sold per second
	 * @param medianWaitMillis the median wait for the lock, null if no buyer waited
	 * @param p99WaitMillis the 99th percentile of the wait, null if no buyer waited
	 */
	record Speed(double soldPerSecond, @Nullable Double medianWaitMillis, @Nullable Double p99WaitMillis) {

	}

	private record Wait(long endMicros, long waitMicros) {

	}

}
