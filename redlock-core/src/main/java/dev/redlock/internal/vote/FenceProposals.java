package dev.redlock.internal.vote;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.redlock.RedlockSettings;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Ticker;
import dev.redlock.spi.Vote;

/**
 * Proposes fences for new leases: times in microseconds close to the clocks of the nodes,
 * and above every fence seen so far, unless such a fence would be too far ahead of the
 * clocks. If all nodes can accept a proposal, the lease needs no second round for its
 * fence.
 */
public final class FenceProposals {

	private final Ticker ticker;

	/** How far the clock of each node is ahead of the clock of this process. */
	private final Map<LockNode, Long> offsetsMicros = new HashMap<>();

	private long highest;

	private final long leadLimitMicros;

	public FenceProposals(Ticker ticker, RedlockSettings settings) {
		this.ticker = ticker;
		// A proposed fence may be ahead of the nodes by half of their clock tolerance.
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

	public void learn(Tally tally) {
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
