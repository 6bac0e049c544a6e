package dev.redlock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.internal.Internals;
import dev.redlock.memory.InMemoryNode;
import org.junit.jupiter.api.Test;

import static dev.redlock.Completed.completed;
import static dev.redlock.Completed.ended;
import static org.assertj.core.api.Assertions.assertThat;

class ShutdownTests {

	/** For other threads, in real time. */
	private static final Duration LONGEST = Duration.ofSeconds(30);

	private final RedlockFixture fixture = new RedlockFixture(5);

	@Test
	void closingReleasesWhatIsHeldAndTellsTheHolders() {
		Lease lease = this.fixture.acquire("a");
		this.fixture.acquire(LockRequest.of("b").withAtLeast(Duration.ofSeconds(5)));
		this.fixture.redlock.close();
		assertThat(this.fixture.heldOn("a") + this.fixture.heldOn("b")).isZero();
		assertThat(lease.isValid()).isFalse();
		assertThat(this.fixture.losses).containsExactlyInAnyOrder("[a] SHUT_DOWN", "[b] SHUT_DOWN");
		assertThat(this.fixture.time.pending()).isZero();
	}

	@Test
	void closingEndsThoseWhoWait() {
		this.fixture.acquire("a");
		CompletableFuture<LockAttempt> waiter = this.fixture.attempt(LockRequest.of("a"));
		this.fixture.redlock.close();
		assertThat(waiter.join().reason()).contains(Reason.SHUTTING_DOWN);
	}

	@Test
	void closingUndoesAnAttemptUnderWay() {
		this.fixture.nodes.forEach(InMemoryNode::freeze);
		CompletableFuture<LockAttempt> attempt = this.fixture.attempt(LockRequest.of("a"));
		CompletableFuture<Void> closing = CompletableFuture.runAsync(this.fixture.redlock::close);
		assertThat(attempt).succeedsWithin(LONGEST)
			.satisfies((ended) -> assertThat(ended.reason()).contains(Reason.SHUTTING_DOWN));
		this.fixture.nodes.forEach(InMemoryNode::up);
		assertThat(closing).succeedsWithin(LONGEST);
		assertThat(this.fixture.heldOn("a")).isZero();
	}

	@Test
	void aClosedLockRefusesNewRequests() {
		this.fixture.redlock.close();
		LockAttempt attempt = completed(this.fixture.attempt(LockRequest.of("a")));
		assertThat(attempt.reason()).contains(Reason.SHUTTING_DOWN);
		assertThat(attempt.tries()).isZero();
		assertThat(this.fixture.heldOn("a")).isZero();
	}

	@Test
	void aClosedLockKeepsNothingOfThoseWhoComeLate() {
		this.fixture.redlock.close();
		for (Duration wait : List.of(Duration.ZERO, Duration.ofSeconds(5))) {
			LockAttempt attempt = completed(this.fixture.attempt(LockRequest.of("late").withWaitFor(wait)));
			assertThat(attempt.reason()).contains(Reason.SHUTTING_DOWN);
		}
		assertThat(Internals.queues(this.fixture.redlock.engine())).isZero();
		assertThat(this.fixture.time.pending()).isZero();
	}

	@Test
	void aNodeThatDoesNotAnswerDelaysClosingNoLongerThanTheTimeout() {
		RedlockFixture brief = new RedlockFixture(3,
				RedlockFixture.settings().toBuilder().shutdownTimeout(Duration.ofMillis(50)).build());
		brief.acquire("a");
		brief.nodes.get(0).freeze();
		brief.redlock.close();
		assertThat(brief.heldOn("a")).isEqualTo(1);
	}

	@Test
	void aBlockedThreadThatIsInterruptedGivesUpAndKeepsItsFlag() throws InterruptedException {
		this.fixture.acquire("a");
		LockAttempt[] attempt = new LockAttempt[1];
		boolean[] interrupted = new boolean[1];
		Thread waiter = new Thread(() -> {
			attempt[0] = this.fixture.redlock.attemptAndWait(LockRequest.of("a"));
			interrupted[0] = Thread.currentThread().isInterrupted();
		});
		waiter.start();
		waiter.interrupt();
		ended(waiter);
		assertThat(attempt[0].reason()).contains(Reason.INTERRUPTED);
		assertThat(interrupted[0]).isTrue();
		assertThat(this.fixture.time.pending()).as("only the expiry of the held lease is left").isOne();
	}

}
