package dev.redlock;

import java.time.Duration;
import java.util.ArrayList;
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

	private static final int ROUNDS = 400;

	/** How much longer than another one a way to a server may take. */
	private static final Duration JITTER = Duration.ofMillis(1);

	/** Less than the rest of a claim, and more than several split votes take. */
	private static final Duration SOON = Duration.ofSeconds(1);

	@RegisterExtension
	final LockWorld world = LockWorld.distant(1, 3);

	@Test
	void twoProcessesWithOneOfThreeServersDownGetAFreeLockSoon() {
		this.world.nodes.get(2).down();
		assertThatWaitersAreServedSoon(2, 0);
	}

	@Test
	void aProcessBesideRivalsThatTryOnceAndGoGetsAFreeLockSoon() {
		assertThatWaitersAreServedSoon(1, 2);
	}

	@Test
	void threeProcessesWithAllServersUpGetAFreeLockSoon() {
		List<CompletableFuture<Void>> served = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			List<DelayedNode> connections = this.world.connect();
			connections.forEach((node) -> node.jitter = Duration.ZERO);
			// Is the first to ask this server, and hears last from it.
			DelayedNode nearest = connections.get(i);
			nearest.delay = LockWorld.DISTANCE.dividedBy(2);
			nearest.answerDelay = LockWorld.DISTANCE.multipliedBy(4);
			served.add(useOnce(this.world.process(this.world.over(connections))));
		}
		this.world.time.advance(SOON);
		assertThat(served).allMatch(CompletableFuture::isDone);
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
		assertThat(nodes.get(0).acquires.get() - before).as("tries in ten seconds").isZero();
		assertThat(waiter).isNotDone();
	}

	@Test
	void aRivalWhoseAnswersCameTooLateIsNotWaitedForToTheEndOfItsClaim() {
		List<DelayedNode> connections = this.world.connect();
		connections.forEach((node) -> node.answerDelay = SOON);
		CompletableFuture<LockAttempt> rival = attempt(this.world.process(this.world.over(connections)),
				STOCK.withWaitFor(Duration.ZERO));
		this.world.time.advance(JITTER);
		CompletableFuture<Void> served = useOnce(process());
		this.world.time.advance(SOON);
		assertThat(completed(rival).lease()).isEmpty();
		assertThat(served).isDone();
	}

	/**
	 * Lets a lock that some processes wait for be released again and again.
	 * @param rivals how many others try once at that moment
	 */
	private void assertThatWaitersAreServedSoon(int waiters, int rivals) {
		Redlock holder = process();
		List<Redlock> waiting = processes(waiters);
		List<Redlock> trying = processes(rivals);
		for (int round = 1; round <= ROUNDS; round++) {
			CompletableFuture<LockAttempt> held = attempt(holder, STOCK);
			this.world.time.advance(SOON);
			List<CompletableFuture<Void>> served = waiting.stream().map(WaitingAfterSplitVotesTests::useOnce).toList();
			this.world.time.advance(SOON);
			completed(held).orThrow().close();
			this.world.time.schedule(JITTER.multipliedBy(1 + round % 4),
					() -> trying.forEach(WaitingAfterSplitVotesTests::tryOnce));
			this.world.time.advance(SOON);
			assertThat(served).as("all have had the lock that was released in round %s", round)
				.allMatch(CompletableFuture::isDone);
		}
	}

	private static CompletableFuture<Void> useOnce(Redlock process) {
		return attempt(process, STOCK).thenAccept((won) -> won.orThrow().close());
	}

	private static void tryOnce(Redlock process) {
		attempt(process, STOCK.withWaitFor(Duration.ZERO)).thenAccept((tried) -> tried.lease().ifPresent(Lease::close));
	}

	private static CompletableFuture<LockAttempt> attempt(Redlock process, LockRequest request) {
		return process.attempt(request).toCompletableFuture();
	}

	private List<Redlock> processes(int count) {
		List<Redlock> processes = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			processes.add(process());
		}
		return processes;
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
