package dev.redlock.benchmarks.contender;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Completes as soon as a majority is reached or out of reach.
 */
final class Ballot extends CompletableFuture<Boolean> {

	private final int quorum;

	private final int blocking;

	private final AtomicInteger grants = new AtomicInteger();

	private final AtomicInteger refusals = new AtomicInteger();

	Ballot(int voters) {
		this.quorum = voters / 2 + 1;
		this.blocking = voters - this.quorum + 1;
	}

	void count(boolean granted) {
		if (granted) {
			if (this.grants.incrementAndGet() == this.quorum) {
				complete(true);
			}
		}
		else if (this.refusals.incrementAndGet() == this.blocking) {
			complete(false);
		}
	}

}
