package dev.redlock;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import dev.redlock.memory.InMemoryNode;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.extension.RegisterExtension;

import static dev.redlock.Completed.completed;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A free lock is asked for within five seconds, whichever way its announcement is lost.
 */
class LostAnnouncementTests {

	private static final Duration BOUND = Duration.ofSeconds(5);

	private static final LockRequest STOCK = LockRequest.of("stock")
		.withTtl(Duration.ofSeconds(60))
		.withWaitFor(Duration.ofSeconds(55));

	@RegisterExtension
	final LockWorld world = new LockWorld(5);

	/** As a holder whose Redis user lost a right after the lock was granted. */
	@RepeatedTest(10)
	void aReleaseThatTheHolderMayNotAnnounceIsNoticedWithinFiveSeconds(RepetitionInfo run) {
		Lease held = this.world.acquire(this.world.other, STOCK);
		CompletableFuture<LockAttempt> waiter = waiter(run);
		this.world.counted.forEach((node) -> node.silent = true);
		held.close();
		assertThat(waiter).isNotDone();
		assertIsAskedFor(waiter);
	}

	@RepeatedTest(10)
	void aKeyThatIsDeletedByHandIsNoticedWithinFiveSeconds(RepetitionInfo run) {
		this.world.acquire(this.world.other, STOCK);
		CompletableFuture<LockAttempt> waiter = waiter(run);
		this.world.nodes.forEach(InMemoryNode::forget);
		assertIsAskedFor(waiter);
	}

	/** As connections that a firewall has forgotten and that seem to be open. */
	@RepeatedTest(10)
	void aReleaseThatNoConnectionTellsOfIsNoticedWithinFiveSeconds(RepetitionInfo run) {
		Lease held = this.world.acquire(this.world.other, STOCK);
		CompletableFuture<LockAttempt> waiter = waiter(run);
		this.world.counted.forEach((node) -> node.deaf = true);
		held.close();
		assertIsAskedFor(waiter);
	}

	private CompletableFuture<LockAttempt> waiter(RepetitionInfo run) {
		Redlock process = this.world.another(LockWorld.settings(), 10 + run.getCurrentRepetition());
		CompletableFuture<LockAttempt> waiter = this.world.attempt(process, STOCK);
		this.world.time.advance(Duration.ofSeconds(1));
		return waiter;
	}

	private void assertIsAskedFor(CompletableFuture<LockAttempt> waiter) {
		this.world.time.advance(BOUND);
		assertThat(waiter).isCompleted();
		assertThat(completed(waiter).lease()).isPresent();
	}

}
