package dev.redlock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.random.RandomGenerator;

import dev.redlock.memory.ManualTime;
import dev.redlock.spi.Claim;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Vote;

import static dev.redlock.Completed.completed;

/**
 * A client of another library that locks, works and unlocks without a gap. It announces
 * no release and hears of none: with the defaults of node-redlock, it asks eleven times,
 * every 100 to 300 ms, and then takes back what a minority has granted.
 */
final class Poller {

	private static final int MOST_TRIES = 11;

	private static final long SHORTEST_PAUSE_MILLIS = 100;

	private static final long LONGEST_PAUSE_MILLIS = 300;

	/** How often it got the lock. */
	int locks;

	private final List<? extends LockNode> nodes;

	private final ManualTime time;

	private final Duration hold;

	private final RandomGenerator random;

	private Claim claim = new Claim(List.of("redlock:stock"), "poller", Duration.ofSeconds(30));

	private int tries;

	Poller(List<? extends LockNode> nodes, ManualTime time, Duration hold, RandomGenerator random) {
		this.nodes = nodes;
		this.time = time;
		this.hold = hold;
		this.random = random;
	}

	void start() {
		this.claim = new Claim(this.claim.keys(), "poller-" + this.random.nextLong(), this.claim.ttl());
		this.tries = 0;
		askOnce();
	}

	private void askOnce() {
		this.tries++;
		ask((node) -> node.acquire(this.claim, Claim.UNFENCED)).thenAccept((grants) -> {
			if (grants > this.nodes.size() / 2) {
				this.locks++;
				this.time.schedule(this.hold, this::releaseAndStartAnew);
			}
			else if (this.tries < MOST_TRIES) {
				long millis = this.random.nextLong(SHORTEST_PAUSE_MILLIS, LONGEST_PAUSE_MILLIS);
				this.time.schedule(Duration.ofMillis(millis), this::askOnce);
			}
			else {
				releaseAndStartAnew();
			}
		});
	}

	private void releaseAndStartAnew() {
		ask((node) -> node.release(this.claim, Duration.ZERO, false)).thenAccept((grants) -> start());
	}

	/**
	 * Completes with the number of grants when all nodes have answered.
	 */
	private CompletionStage<Long> ask(Function<LockNode, CompletionStage<Vote>> operation) {
		List<CompletableFuture<Vote>> votes = this.nodes.stream()
			.map((node) -> operation.apply(node).toCompletableFuture())
			.toList();
		return CompletableFuture.allOf(votes.toArray(CompletableFuture<?>[]::new))
			.thenApply((all) -> votes.stream().filter((vote) -> completed(vote) instanceof Vote.Granted).count());
	}

}
