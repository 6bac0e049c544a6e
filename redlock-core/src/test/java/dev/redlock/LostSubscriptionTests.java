package dev.redlock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static dev.redlock.Completed.completed;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A waiter that does not hear of releases polls, from the moment at which it no longer
 * hears of them.
 */
class LostSubscriptionTests {

	private static final LockRequest STOCK = LockRequest.of("stock").withWaitFor(Duration.ofSeconds(30));

	private static final LockRequest LONG = STOCK.withTtl(Duration.ofSeconds(60)).withWaitFor(Duration.ofSeconds(50));

	@RegisterExtension
	final LockWorld world = new LockWorld(5);

	@Test
	void aWaiterThatLosesItsSubscriptionPollsAlsoIfRequestsJoinAllTheTime() {
		Lease held = this.world.acquire(this.world.other, LONG);
		CompletableFuture<LockAttempt> waiter = waiterWithoutSubscription();
		held.close();
		for (int i = 0; i < 10; i++) {
			this.world.time.advance(Duration.ofMillis(100));
			this.world.attempt(this.world.redlock, LONG);
		}
		assertThat(waiter).isCompleted();
		assertThat(completed(waiter).lease()).isPresent();
	}

	@Test
	void aWaiterThatStillHearsOfReleasesFromAMajorityDoesNotPoll() {
		this.world.acquire(this.world.other, LONG);
		CompletableFuture<LockAttempt> waiter = this.world.attempt(this.world.redlock, LONG);
		this.world.time.advance(Duration.ofSeconds(1));
		this.world.counted.subList(0, 2).forEach((node) -> node.listening = false);
		int before = this.world.acquires();
		this.world.time.advance(Duration.ofSeconds(1));
		assertThat(this.world.acquires() - before).isZero();
		assertThat(waiter).isNotDone();
	}

	@Test
	void aWaiterWhoseSubscriptionIsBackPollsNoMore() {
		this.world.acquire(this.world.other, LONG);
		this.world.attempt(this.world.redlock, LONG);
		this.world.time.advance(Duration.ofSeconds(1));
		this.world.counted.subList(0, 3).forEach((node) -> node.listening = false);
		this.world.time.advance(Duration.ofSeconds(5));
		int polls = this.world.acquires();
		assertThat(polls).isGreaterThan(20);
		this.world.counted.subList(0, 3).forEach(CountingNode::listenAgain);
		this.world.time.advance(Duration.ofSeconds(2));
		// One for what may have been missed.
		assertThat(this.world.acquires() - polls).isLessThanOrEqualTo(1);
	}

	@Test
	void aSubscriptionIsWorthOneTryWhenItBecomesCompleteAndNoneForEachFurtherNode() {
		this.world.counted.forEach((node) -> node.listening = false);
		this.world.acquire(this.world.other, LONG);
		this.world.attempt(this.world.redlock, LONG.withRetryDelay(Duration.ofSeconds(40)));
		int before = this.world.acquires();
		this.world.counted.subList(0, 2).forEach(CountingNode::listenAgain);
		assertThat(this.world.acquires() - before).isZero();
		this.world.counted.get(2).listenAgain();
		assertThat(this.world.acquires() - before).isEqualTo(1);
		this.world.counted.subList(3, 5).forEach(CountingNode::listenAgain);
		assertThat(this.world.acquires() - before).isEqualTo(1);
		this.world.counted.subList(0, 3).forEach((node) -> node.listening = false);
		this.world.counted.get(0).listenAgain();
		assertThat(this.world.acquires() - before).as("it was incomplete meanwhile").isEqualTo(2);
		this.world.counted.subList(1, 3).forEach(CountingNode::listenAgain);
		assertThat(this.world.acquires() - before).isEqualTo(2);
	}

	@Test
	void aHolderThatAMinorityOfNodesDoesNotAnnounceIsNot() {
		this.world.counted.subList(0, 2).forEach((node) -> node.announces = false);
		this.world.acquire(this.world.other, LONG);
		this.world.attempt(this.world.redlock, LONG);
		int before = this.world.acquires();
		this.world.time.advance(Duration.ofSeconds(2));
		assertThat(this.world.acquires() - before).isZero();
	}

	/** As a node does that is spread over several servers. */
	@Test
	void aHolderOfSeveralNamesThatAreNotAnnouncedTogetherIsPolledFor() {
		List<CountingNode> spread = this.world.nodes.stream().map((node) -> (CountingNode) new CountingNode(node) {
			@Override
			public boolean announces(List<String> keys) {
				return keys.size() == 1;
			}
		}).toList();
		spread.forEach((node) -> node.silent = true);
		LockRequest both = LONG.withResources(List.of("stock", "till"));
		Lease held = this.world.acquire(this.world.process(this.world.over(spread, LockWorld.settings(), 7)), both);
		CompletableFuture<LockAttempt> waiter = this.world.attempt(this.world.redlock, both);
		this.world.time.advance(Duration.ofSeconds(1));
		held.close();
		this.world.time.advance(Duration.ofSeconds(1));
		assertThat(completed(waiter).lease()).isPresent();
	}

	/**
	 * A waiter that has been subscribed, and from now on hears nothing.
	 */
	private CompletableFuture<LockAttempt> waiterWithoutSubscription() {
		CompletableFuture<LockAttempt> waiter = this.world.attempt(this.world.redlock, LONG);
		this.world.time.advance(Duration.ofSeconds(1));
		this.world.counted.subList(0, 3).forEach((node) -> node.listening = false);
		this.world.counted.forEach((node) -> node.silent = true);
		return waiter;
	}

}
