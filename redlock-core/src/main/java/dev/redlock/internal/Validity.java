package dev.redlock.internal;

import dev.redlock.spi.Ticker;

/**
 * The time for which a granted lease may be trusted.
 *
 * @param nanos the ttl minus the allowances for clock drift and clock steps
 */
record Validity(Moment since, long nanos) {

	long remainingNanos(Ticker ticker) {
		return this.nanos - this.since.elapsedNanos(ticker);
	}

}
