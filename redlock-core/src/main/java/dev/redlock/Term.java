package dev.redlock;

import java.time.Duration;

import dev.redlock.spi.Ticker;

/**
 * A span of time for which a majority has granted a lease.
 *
 * @param since the moment before the grant was asked for
 * @param validityNanos the ttl less what clocks may drift and step
 */
record Term(Moment since, long validityNanos) {

	long remainingNanos(Ticker ticker) {
		return this.validityNanos - this.since.elapsedNanos(ticker);
	}

}
