package dev.redlock;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import static dev.redlock.Completed.completed;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A waiter that does not hear of releases polls, from the moment at which it no longer
 * hears of them.
 */
class LostSubscriptionTests extends TwoProcesses {

	private static final LockRequest LONG = STOCK.withTtl(Duration.ofSeconds(60)).withWaitFor(Duration.ofSeconds(50));

	@Test
	void aWaiterThatLosesItsSubscriptionPolls() {
		Lease held = acquire(this.there, LONG);
		CompletableFuture<LockAttempt> waiter = attempt(this.here, LONG);
		this.time.advance(Duration.ofSeconds(1));
		this.nodes.subList(0, 3).forEach((node) -> node.listening = false);
		this.nodes.forEach((node) -> node.silent = true);
		held.close();
		this.time.advance(Duration.ofSeconds(1));
		assertThat(waiter).isCompleted();
		assertThat(completed(waiter).lease()).isPresent();
	}

	@Test
	void aWaiterThatStillHearsOfReleasesFromAMajorityDoesNotPoll() {
		acquire(this.there, LONG);
		CompletableFuture<LockAttempt> waiter = attempt(this.here, LONG);
		this.time.advance(Duration.ofSeconds(1));
		this.nodes.subList(0, 2).forEach((node) -> node.listening = false);
		int before = acquires();
		this.time.advance(Duration.ofSeconds(5));
		assertThat(acquires() - before).isZero();
		assertThat(waiter).isNotDone();
	}

	@Test
	void aWaiterWhoseSubscriptionIsBackPollsNoMore() {
		acquire(this.there, LONG);
		attempt(this.here, LONG);
		this.time.advance(Duration.ofSeconds(1));
		this.nodes.subList(0, 3).forEach((node) -> node.listening = false);
		this.time.advance(Duration.ofSeconds(5));
		int polls = acquires();
		assertThat(polls).isGreaterThan(20);
		this.nodes.subList(0, 3).forEach(CountingNode::listenAgain);
		this.time.advance(Duration.ofSeconds(5));
		// One for what may have been missed.
		assertThat(acquires() - polls).isLessThanOrEqualTo(1);
	}

	@Test
	void aSubscriptionIsWorthOneTryWhenItBecomesCompleteAndNoneForEachFurtherNode() {
		this.nodes.forEach((node) -> node.listening = false);
		acquire(this.there, LONG);
		attempt(this.here, LONG.withRetryDelay(Duration.ofSeconds(40)));
		int before = acquires();
		this.nodes.subList(0, 2).forEach(CountingNode::listenAgain);
		assertThat(acquires() - before).isZero();
		this.nodes.get(2).listenAgain();
		assertThat(acquires() - before).isEqualTo(1);
		this.nodes.subList(3, 5).forEach(CountingNode::listenAgain);
		assertThat(acquires() - before).isEqualTo(1);
		this.nodes.subList(0, 3).forEach((node) -> node.listening = false);
		this.nodes.get(0).listenAgain();
		assertThat(acquires() - before).as("it was incomplete meanwhile").isEqualTo(2);
		this.nodes.subList(1, 3).forEach(CountingNode::listenAgain);
		assertThat(acquires() - before).isEqualTo(2);
	}

	@Test
	void aHolderThatAMajorityOfNodesDoesNotAnnounceIsPolledFor() {
		this.nodes.subList(0, 3).forEach((node) -> node.announces = false);
		Lease held = acquire(this.there, LONG);
		CompletableFuture<LockAttempt> waiter = attempt(this.here, LONG);
		this.time.advance(Duration.ofSeconds(1));
		this.nodes.forEach((node) -> node.silent = true);
		held.close();
		this.time.advance(Duration.ofSeconds(1));
		assertThat(waiter).isCompleted();
		assertThat(completed(waiter).lease()).isPresent();
	}

	@Test
	void aHolderThatAMinorityOfNodesDoesNotAnnounceIsNot() {
		this.nodes.subList(0, 2).forEach((node) -> node.announces = false);
		acquire(this.there, LONG);
		attempt(this.here, LONG);
		int before = acquires();
		this.time.advance(Duration.ofSeconds(5));
		assertThat(acquires() - before).isZero();
	}

}
