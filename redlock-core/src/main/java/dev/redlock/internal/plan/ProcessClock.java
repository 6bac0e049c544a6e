package dev.redlock.internal.plan;

import java.util.List;

import dev.redlock.spi.LockNode;
import dev.redlock.spi.Ticker;

/**
 * The clock of this process, plus the time for which this clock stood still according to
 * the nodes.
 */
public record ProcessClock(Ticker ticker, List<LockNode> nodes) implements Ticker {

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
