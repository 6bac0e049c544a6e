package dev.redlock;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.LockWorld.Answers;
import dev.redlock.internal.client.Internals;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.spi.EventLoop;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static dev.redlock.Completed.ended;
import static org.assertj.core.api.Assertions.assertThat;

@ParameterizedClass
@EnumSource
class ShutdownTests {

	/** For other threads, in real time. */
	private static final Duration LONGEST = Duration.ofSeconds(30);

	@RegisterExtension
	final LockWorld world;

	ShutdownTests(Answers answers) {
		this.world = new LockWorld(5, answers);
	}

	@Test
	void closingWithoutATimeoutTakesWhatIsHeldAndTellsTheHolders() {
		Lease lease = this.world.acquire("a");
		this.world.acquire(LockRequest.of("b").withAtLeast(Duration.ofSeconds(5)));
		this.world.answered(this.world.redlock.closeAsync());
		assertThat(this.world.heldOn("a")).isZero();
		assertThat(this.world.heldOn("b")).isEqualTo(5);
		this.world.time.advance(Duration.ofSeconds(5));
		assertThat(this.world.heldOn("b")).isZero();
		assertThat(lease.isValid()).isFalse();
		assertThat(this.world.losses).containsExactlyInAnyOrder("[a] SHUT_DOWN", "[b] SHUT_DOWN");
		assertThat(this.world.time.pending()).isZero();
	}

	@Test
	void closingUndoesAnAttemptUnderWay() {
		this.world.nodes.forEach(InMemoryNode::freeze);
		CompletableFuture<LockAttempt> attempt = this.world.attempt(LockRequest.of("a"));
		CompletionStage<Void> closing = this.world.redlock.closeAsync();
		assertThat(this.world.answered(attempt).reason()).contains(Reason.SHUTTING_DOWN);
		this.world.nodes.forEach(InMemoryNode::up);
		this.world.answered(closing);
		assertThat(this.world.heldOn("a")).isZero();
	}

	@Test
	void aClosedLockKeepsNothingOfThoseWhoComeLate() {
		this.world.redlock.close();
		for (Duration wait : List.of(Duration.ZERO, Duration.ofSeconds(5))) {
			LockAttempt attempt = this.world.answered(this.world.attempt(LockRequest.of("late").withWaitFor(wait)));
			assertThat(attempt.reason()).contains(Reason.SHUTTING_DOWN);
		}
		assertThat(Internals.queues(this.world.redlock.engine())).isZero();
		assertThat(this.world.time.pending()).isZero();
	}

	@Test
	void aBlockedThreadThatIsInterruptedGivesUpAndKeepsItsFlag() throws InterruptedException {
		this.world.acquire("a");
		LockAttempt[] attempt = new LockAttempt[1];
		boolean[] interrupted = new boolean[1];
		Thread waiter = new Thread(() -> {
			attempt[0] = this.world.redlock.attemptAndWait(LockRequest.of("a"));
			interrupted[0] = Thread.currentThread().isInterrupted();
		});
		waiter.start();
		waiter.interrupt();
		ended(waiter);
		assertThat(attempt[0].reason()).contains(Reason.INTERRUPTED);
		assertThat(interrupted[0]).isTrue();
		assertThat(this.world.time.pending()).as("only the expiry of the held lease is left").isOne();
	}

	@Test
	void stagesCompleteAlsoWhenTheEventLoopHasEnded() {
		EndedLoop loop = new EndedLoop(this.world.time);
		Redlock redlock = this.world.over(this.world.counted, LockWorld.settings(), 3).loop(loop).build();
		Lease lease = this.world.acquire(redlock, LockRequest.of("a"));
		loop.ended = true;
		assertThat(lease.extendAsync(Duration.ofSeconds(10))).isCompletedWithValue(false);
		assertThat(lease.releaseAsync()).isCompletedWithValue(new ReleaseResult(0, 5, true));
		assertThat(redlock.attempt(LockRequest.of("b")))
			.isCompletedWithValueMatching((attempt) -> attempt.reason().equals(Optional.of(Reason.SHUTTING_DOWN)));
		assertThat(redlock.inspect("a")).isCompleted();
		redlock.close();
	}

	@Test
	void aLeaseThatIsWonAfterItsRequestCouldNotBeEndedIsReleased() {
		EndedLoop loop = new EndedLoop(this.world.time);
		Redlock redlock = this.world.process(this.world.over(this.world.counted, LockWorld.settings(), 3).loop(loop));
		this.world.nodes.forEach(InMemoryNode::freeze);
		CompletableFuture<LockAttempt> attempt = this.world.attempt(redlock, LockRequest.of("a"));
		loop.ended = true;
		attempt.cancel(false);
		loop.ended = false;
		this.world.nodes.forEach(InMemoryNode::up);
		this.world.answers();
		assertThat(redlock.leases()).isEmpty();
		assertThat(this.world.heldOn("a")).isZero();
	}

	/**
	 * A loop that takes no more events once it has ended.
	 */
	private static final class EndedLoop implements EventLoop {

		private final EventLoop loop;

		private boolean ended;

		EndedLoop(EventLoop loop) {
			this.loop = loop;
		}

		@Override
		public boolean inLoop() {
			return this.loop.inLoop();
		}

		@Override
		public void execute(Runnable event) {
			if (this.ended) {
				throw new RejectedExecutionException("The loop has ended");
			}
			this.loop.execute(event);
		}

		@Override
		public Timeout schedule(Duration delay, Runnable task) {
			return this.loop.schedule(delay, task);
		}

	}

}
