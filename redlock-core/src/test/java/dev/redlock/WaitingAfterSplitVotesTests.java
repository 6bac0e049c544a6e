package dev.redlock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static dev.redlock.Completed.completed;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Processes that ask at the same moment, so that each gets some of the servers and none a
 * majority, do not wait for one another: a loser announces nothing.
 */
class WaitingAfterSplitVotesTests {

	private static final LockRequest STOCK = LockRequest.of("stock").withWaitFor(Duration.ofSeconds(30));

	private static final int ROUNDS = 100;

	/** How much longer than another one a way to a server may take. */
	private static final Duration JITTER = Duration.ofMillis(1);

	/** Less than the rest of a claim, and more than several split votes take. */
	private static final Duration SOON = Duration.ofSeconds(1);

	@RegisterExtension
	final LockWorld world = LockWorld.distant(1, 3);

	@Test
	void twoProcessesWithOneOfThreeServersDownGetAFreeLockSoon() {
		this.world.nodes.get(2).down();
		Redlock holder = process();
		List<Redlock> waiting = List.of(process(), process());
		for (int round = 1; round <= ROUNDS; round++) {
			CompletableFuture<LockAttempt> held = attempt(holder, STOCK);
			this.world.time.advance(SOON);
			List<CompletableFuture<Void>> served = waiting.stream()
				.map((process) -> attempt(process, STOCK).thenAccept((won) -> won.orThrow().close()))
				.toList();
			this.world.time.advance(SOON);
			completed(held).orThrow().close();
			this.world.time.advance(SOON);
			assertThat(served).as("all have had the lock that was released in round %s", round)
				.allMatch(CompletableFuture::isDone);
		}
	}

	@Test
	void aVoteThatComesLateAndShowsTheHolderEndsTheBackoff() {
		LockWorld two = LockWorld.distant(1, 2);
		attempt(two.distantProcess(), STOCK.withTtl(Duration.ofSeconds(60)));
		two.time.advance(SOON);
		List<DelayedNode> connections = two.connect();
		connections.get(1).delay = LockWorld.DISTANCE.multipliedBy(3);
		List<CountingNode> nodes = connections.stream().map(CountingNode::new).toList();
		CompletableFuture<LockAttempt> waiter = attempt(two.process(two.over(nodes)), STOCK);
		two.time.advance(SOON);
		int before = nodes.get(0).acquires.get();
		two.time.advance(SOON.multipliedBy(10));
		assertThat(nodes.get(0).acquires.get() - before).as("tries in ten seconds").isLessThanOrEqualTo(4);
		assertThat(waiter).isNotDone();
	}

	private static CompletableFuture<LockAttempt> attempt(Redlock process, LockRequest request) {
		return process.attempt(request).toCompletableFuture();
	}

	/**
	 * A process for which each way takes another time.
	 */
	private Redlock process() {
		List<DelayedNode> connections = this.world.connect();
		connections.forEach((node) -> node.jitter = JITTER);
		return this.world.process(this.world.over(connections));
	}

}
