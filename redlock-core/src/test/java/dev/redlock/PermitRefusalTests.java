package dev.redlock;

import java.lang.Thread.State;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.spi.Claim;
import dev.redlock.spi.Vote;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.redlock.Completed.completed;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Requests for permits that are refused: for which reason, how soon, and what they still
 * wait for.
 */
class PermitRefusalTests {

	private static final LockRequest TWO = LockRequest.of("ocr").withPermits(2);

	private static final LockRequest THREE = LockRequest.of("ocr").withPermits(3);

	private final LockWorld world = new LockWorld(5);

	/**
	 * The thread holds a permit when it begins to wait for another one, and another
	 * thread closes that lease ("any thread may close the lease").
	 */
	@Test
	void aPermitThatTheWaitingThreadHeldItselfIsTakenWhenItIsReleased() throws InterruptedException {
		AtomicReference<LockAttempt> first = new AtomicReference<>();
		AtomicReference<LockAttempt> second = new AtomicReference<>();
		this.world.acquire(this.world.other, TWO.withWaitFor(Duration.ZERO));
		Thread asking = new Thread(() -> {
			first.set(this.world.redlock.attemptAndWait(TWO.withWaitFor(Duration.ZERO)));
			second.set(this.world.redlock.attemptAndWait(TWO.withWaitFor(Duration.ofSeconds(8))));
		});
		asking.start();
		Awaitility.await().until(asking::getState, State.TIMED_WAITING::equals);
		CompletionStage<LockAttempt> behind = this.world.redlock.attempt(TWO.withWaitFor(Duration.ofMinutes(1)));
		first.get().orThrow().close();
		this.world.time.advance(Duration.ofSeconds(5));
		LockAttempt free = completed(this.world.other.attempt(TWO.withWaitFor(Duration.ZERO)));
		boolean nobodyAsked = free.lease().isPresent();
		free.lease().ifPresent(Lease::close);
		boolean waits = second.get() == null && !behind.toCompletableFuture().isDone();
		this.world.time.advance(Duration.ofMinutes(2));
		asking.join(30_000);
		assertThat(waits && nobodyAsked).as("a permit is free for 5 s, two requests of this process wait, nobody asks")
			.isFalse();
	}

	/** The requests in line have waited longer than they may, because all stood still. */
	@Test
	void thousandsOfRequestsInLineMayEndAtTheSameTime() {
		LockWorld many = new LockWorld(1);
		Redlock third = many.another(LockWorld.settings(), 7);
		LockRequest renewed = THREE.withRenew(true).withMaxHold(Duration.ofHours(1)).withWaitFor(Duration.ZERO);
		List<Lease> held = Stream.generate(() -> many.acquire(third, renewed)).limit(3).toList();
		CompletionStage<LockAttempt> elsewhere = many.other.attempt(THREE.withWaitFor(Duration.ofHours(1)));
		CompletableFuture<LockAttempt> head = many.attempt(THREE.withWaitFor(Duration.ofMinutes(30)));
		List<CompletableFuture<LockAttempt>> line = Stream
			.generate(() -> many.attempt(THREE.withWaitFor(Duration.ofMinutes(1))))
			.limit(2_000)
			.toList();
		// Now both processes know of each other.
		held.get(0).close();
		many.time.advance(Duration.ofMillis(500));
		assertThat(elsewhere.toCompletableFuture().isDone() || head.isDone()).isTrue();
		// The machine was suspended.
		many.time.stepWallClock(Duration.ofMinutes(2));
		(head.isDone() ? line.get(0) : head).cancel(false);
		many.time.advance(Duration.ofMinutes(3));
		assertThat(line).allMatch(CompletableFuture::isDone);
		List.of(third, many.other).forEach(Redlock::close);
		CompletableFuture<LockAttempt> later = many.attempt(THREE.withWaitFor(Duration.ofSeconds(20)));
		many.time.advance(Duration.ofMinutes(1));
		assertThat(completed(later).lease()).isPresent();
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1 })
	void aRequestThatWaitsForALockOrAPermitUntilTheQuorumIsGoneSaysSo(int permits) {
		LockRequest one = LockRequest.of("ocr").withPermits(permits);
		this.world.acquire(this.world.other, one.withWaitFor(Duration.ZERO));
		CompletableFuture<LockAttempt> asked = this.world
			.attempt(one.withWaitFor(Duration.ofMinutes(2)).withAwaitReason(true));
		this.world.time.advance(Duration.ofSeconds(2));
		this.world.nodes.forEach(InMemoryNode::down);
		this.world.time.advance(Duration.ofMinutes(3));
		assertThat(completed(asked).reason()).contains(Reason.NO_QUORUM);
	}

	/** Two of three permits are free, and nobody can get one without a quorum. */
	@Test
	void withoutAQuorumTheReasonIsNotThatThisProcessHoldsAnotherPermit() {
		this.world.acquire(THREE.withWaitFor(Duration.ZERO));
		this.world.loseQuorum();
		CompletableFuture<LockAttempt> asked = this.world
			.attempt(THREE.withWaitFor(Duration.ofSeconds(2)).withAwaitReason(true));
		this.world.time.advance(Duration.ofSeconds(5));
		assertThat(completed(asked).reason()).contains(Reason.NO_QUORUM);
	}

	/** The nodes answer reads and no writes, in time. */
	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 20 })
	void aRequestEndsSoonAfterItsTimeToWaitHoweverManyPermitsThereAre(int permits) {
		List<CountingNode> deaf = this.world.nodes.stream().map((node) -> (CountingNode) new CountingNode(node) {
			@Override
			public CompletionStage<Vote> acquire(Claim claim, long fence) {
				return new CompletableFuture<>();
			}
		}).toList();
		Redlock process = this.world.process(this.world.over(deaf, LockWorld.settings(), 9));
		CompletableFuture<LockAttempt> asked = process
			.attempt(LockRequest.of("ocr").withPermits(permits).withWaitFor(Duration.ofSeconds(1)))
			.toCompletableFuture();
		Duration waited = Duration.ZERO;
		while (!asked.isDone()) {
			this.world.time.advance(Duration.ofMillis(100));
			waited = waited.plusMillis(100);
		}
		assertThat(waited).as("with a node timeout of 500 ms").isLessThanOrEqualTo(Duration.ofSeconds(4));
	}

}
