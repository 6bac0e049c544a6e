package dev.redlock.lettuce.internal.clock;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import dev.redlock.spi.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * A clock that misses time, as of a machine that is moved.
 */
public final class PausedTicker implements Ticker {

	private final Ticker system = Ticker.SYSTEM;

	private final AtomicLong missedNanos = new AtomicLong();

	private final AtomicLong missedWallMicros = new AtomicLong();

	private volatile @Nullable Ticker still;

	public void miss(Duration missed, boolean wallClockToo) {
		this.missedNanos.addAndGet(missed.toNanos());
		this.missedWallMicros.addAndGet(wallClockToo ? missed.toNanos() / 1000 : 0);
	}

	public void standStill() {
		long nanos = nanoTime();
		long micros = epochMicros();
		this.still = new Ticker() {

			@Override
			public long nanoTime() {
				return nanos;
			}

			@Override
			public long epochMicros() {
				return micros;
			}

		};
	}

	public void goOn(boolean wallClockToo) {
		long since = nanoTime();
		this.still = null;
		miss(Duration.ofNanos(nanoTime() - since), wallClockToo);
	}

	@Override
	public long nanoTime() {
		Ticker stopped = this.still;
		return (stopped != null) ? stopped.nanoTime() : this.system.nanoTime() - this.missedNanos.get();
	}

	@Override
	public long epochMicros() {
		Ticker stopped = this.still;
		return (stopped != null) ? stopped.epochMicros() : this.system.epochMicros() - this.missedWallMicros.get();
	}

}
