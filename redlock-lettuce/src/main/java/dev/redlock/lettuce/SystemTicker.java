package dev.redlock.lettuce;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

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
		return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
	}

}
