package dev.redlock.internal.plan;

import dev.redlock.spi.Ticker;

/**
 * The time for which a granted lease may be trusted.
 *
 * @param nanos the ttl minus the allowances for clock drift and clock steps
 */
public record Validity(Moment since, long nanos) {

	public long remainingNanos(Ticker ticker) {
		return this.nanos - this.since.elapsedNanos(ticker);
	}

}
