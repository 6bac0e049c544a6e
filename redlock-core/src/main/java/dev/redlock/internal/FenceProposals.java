package dev.redlock.internal;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.redlock.RedlockSettings;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Ticker;
import dev.redlock.spi.Vote;

/**
 * A generator of proposed fences. A proposal is a time in microseconds close to the
 * clocks of the nodes, and above every fence seen so far. A proposal is only a hint: if
 * all nodes can accept the proposal, the fence is settled in one round trip.
 */
final class FenceProposals {

	private final Ticker ticker;

	/** For each node, how far its clock is ahead of this process's clock, if known. */
	private final Map<LockNode, Long> offsetsMicros = new HashMap<>();

	private long highest;

	private final long leadLimitMicros;

	FenceProposals(Ticker ticker, RedlockSettings settings) {
		this.ticker = ticker;
		// Half of the clock difference at which a node refuses to vote.
		this.leadLimitMicros = TimeUnit.NANOSECONDS.toMicros(settings.maxTtl().toNanos()) / 4;
	}

	long next() {
		long estimate = this.ticker.epochMicros() + medianOffsetMicros();
		long limit = estimate + this.leadLimitMicros;
		long proposal = Math.min(Math.max(this.highest + 1, estimate), limit);
		saw(proposal);
		return proposal;
	}

	void saw(long fence) {
		this.highest = Math.max(this.highest, fence);
	}

	/**
	 * Computes the clock offsets of the nodes from their votes.
	 */
	void learn(Tally tally) {
		long now = this.ticker.epochMicros();
		for (int i = 0; i < tally.nodes().size(); i++) {
			Vote vote = tally.votes().get(i);
			long nodeMicros = (vote instanceof Vote.Granted granted) ? granted.nodeMicros()
					: (vote instanceof Vote.Faulted faulted) ? faulted.nodeMicros() : 0;
			if (nodeMicros != 0) {
				this.offsetsMicros.put(tally.nodes().get(i), nodeMicros - now);
			}
		}
	}

	private long medianOffsetMicros() {
		int below = Math.max(0, this.offsetsMicros.size() - 1) / 2;
		return this.offsetsMicros.values().stream().sorted().skip(below).findFirst().orElse(0L);
	}

}
