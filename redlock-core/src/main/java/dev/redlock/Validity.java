package dev.redlock;

import dev.redlock.spi.Ticker;

/**
 * How long a lease may be trusted that a majority has granted.
 *
 * @param since the moment before the grant was asked for
 * @param nanos the ttl less what clocks may drift and step
 */
record Validity(Moment since, long nanos) {

	long remainingNanos(Ticker ticker) {
		return this.nanos - this.since.elapsedNanos(ticker);
	}

}
