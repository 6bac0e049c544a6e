package dev.redlock.internal;

import java.util.List;

import dev.redlock.spi.LockNode;
import dev.redlock.spi.Ticker;

/**
 * The clock of this process, plus the time that its monotonic clock has missed according
 * to the nodes. When a pause becomes known, all leases and tries that began before the
 * pause become older by the time of the pause at once.
 *
 * @param ticker the clock without the missed time
 */
record ProcessClock(Ticker ticker, List<LockNode> nodes) implements Ticker {

	@Override
	public long nanoTime() {
		long missed = 0;
		for (int i = 0; i < this.nodes.size(); i++) {
			missed = Math.max(missed, this.nodes.get(i).missedNanos());
		}
		return this.ticker.nanoTime() + missed;
	}

	@Override
	public long epochMicros() {
		return this.ticker.epochMicros();
	}

}
