package dev.redlock;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

import dev.redlock.spi.Claim;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Scheduler;
import dev.redlock.spi.Ticker;
import dev.redlock.spi.Vote;

/**
 * Sends releases to all nodes at once, and sends them again to nodes that could not take
 * them and may hold the claim, until the node has forgotten it by itself.
 */
final class Releases {

	private static final Duration FIRST_RETRY = Duration.ofMillis(100);

	private static final Duration LONGEST_RETRY = Duration.ofSeconds(2);

	private static final int MAX_RETRIES_UNDER_WAY = 10_000;

	private final Ticker ticker;

	private final Scheduler scheduler;

	private final Set<CompletableFuture<Tally>> underWay = ConcurrentHashMap.newKeySet();

	private final AtomicInteger retries = new AtomicInteger();

	Releases(Ticker ticker, Scheduler scheduler) {
		this.ticker = ticker;
		this.scheduler = scheduler;
	}

	/**
	 * Releases a claim.
	 * @param release what to release
	 * @return the round, under way
	 */
	Round send(Release release) {
		Round round = Round.ask(release.nodes, new Quorum(release.nodes.size()).majority(), release.nodeTimeout,
				this.scheduler, (node) -> send(release, node, FIRST_RETRY));
		CompletableFuture<Tally> settled = round.settled();
		this.underWay.add(settled);
		settled.thenRun(() -> this.underWay.remove(settled));
		return round;
	}

	/**
	 * Completes when all releases that are under way now have been answered or timed out.
	 */
	CompletableFuture<Void> drained() {
		return CompletableFuture.allOf(this.underWay.toArray(CompletableFuture[]::new));
	}

	/**
	 * Sends one release, and once more if it failed. A release that is merely slow is on
	 * its way and arrives, or its connection breaks and it fails: only what failed is
	 * sent again, or a node that is behind would be given more and more to do.
	 */
	private CompletionStage<Vote> send(Release release, LockNode node, Duration retryDelay) {
		CompletionStage<Vote> answer = node.release(release.claim, release.keep, release.announced);
		answer.thenAccept((vote) -> {
			if (vote instanceof Vote.Faulted && release.mayHold.test(node)) {
				retry(release, node, retryDelay);
			}
		});
		return answer;
	}

	private void retry(Release release, LockNode node, Duration delay) {
		boolean forgotten = release.since.elapsedNanos(this.ticker) > release.claim.ttl().toNanos();
		// Past the bound the ttl has to do: a flood of retries would help nobody.
		if (forgotten || this.retries.get() >= MAX_RETRIES_UNDER_WAY) {
			return;
		}
		this.retries.incrementAndGet();
		Duration doubled = delay.multipliedBy(2);
		this.scheduler.schedule(delay, () -> {
			this.retries.decrementAndGet();
			send(release, node, (doubled.compareTo(LONGEST_RETRY) < 0) ? doubled : LONGEST_RETRY);
		});
	}

	/**
	 * What to release, and where.
	 *
	 * @param claim the claim, with the longest ttl that a node may have been told
	 * @param nodes all nodes that were asked for it
	 * @param mayHold whether a node may hold the claim, for all that is known
	 * @param since when a node last may have started to count the ttl
	 * @param nodeTimeout how long one node may take
	 * @param keep how long the keys stay; zero to delete them now
	 * @param announced whether others are told; not where somebody of this process asks
	 * right behind it
	 */
	record Release(Claim claim, List<LockNode> nodes, Predicate<LockNode> mayHold, Moment since, Duration nodeTimeout,
			Duration keep, boolean announced) {

	}

}
