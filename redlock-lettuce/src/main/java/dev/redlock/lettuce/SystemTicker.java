package dev.redlock.lettuce;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

import dev.redlock.spi.Ticker;

/**
 * A {@link Ticker} over the clocks of this machine.
 */
public final class SystemTicker implements Ticker {

	/**
	 * Creates the clock.
	 */
	public SystemTicker() {
	}

	@Override
	public long nanoTime() {
		return System.nanoTime();
	}

	@Override
	public long epochMicros() {
		Instant now = Instant.now();
		return TimeUnit.SECONDS.toMicros(now.getEpochSecond()) + TimeUnit.NANOSECONDS.toMicros(now.getNano());
	}

}
