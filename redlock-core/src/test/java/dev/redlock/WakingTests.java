package dev.redlock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import dev.redlock.memory.InMemoryNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static dev.redlock.Completed.completed;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Requests of a process that slept for longer than they wait, and for longer than their
 * ttl.
 */
class WakingTests {

	private static final Duration ASLEEP = Duration.ofSeconds(40);

	@RegisterExtension
	final LockWorld world = new LockWorld(5);

	@Test
	void eachRequestThatIsUnderWayAcrossThePauseGetsATryAfterWaking() {
		this.world.nodes.forEach(InMemoryNode::freeze);
		List<CompletableFuture<LockAttempt>> attempts = IntStream.range(0, 20)
			.mapToObj((i) -> this.world.attempt(LockRequest.of("r" + i).withWaitFor(Duration.ofSeconds(i % 3))))
			.toList();
		this.world.time.stepWallClock(ASLEEP);
		this.world.nodes.forEach(InMemoryNode::up);
		attempts.forEach((attempt) -> {
			LockAttempt woken = this.world.answered(attempt);
			assertThat(woken.lease()).isPresent();
			assertThat(woken.tries()).isEqualTo(2);
			woken.orThrow().close();
		});
	}

	@Test
	void aRequestThatWaitsAcrossThePauseGetsATryAfterWakingEvenPastItsWait() {
		Lease held = this.world.acquire("stock");
		CompletableFuture<LockAttempt> waiting = this.world.attempt(this.world.other,
				LockRequest.of("stock").withWaitFor(Duration.ofSeconds(5)).withRetryDelay(Duration.ofSeconds(30)));
		assertThat(waiting).isNotDone();
		this.world.counted.forEach((node) -> node.silent = true);
		held.close();
		this.world.time.stepWallClock(ASLEEP);
		this.world.time.advance(Duration.ofSeconds(5));
		assertThat(completed(waiting).lease()).isPresent();
		completed(waiting).orThrow().close();
	}

	@Test
	void thereIsOneTryAfterWakingAndNoMore() {
		this.world.acquire(this.world.other, LockRequest.of("stock").withTtl(Duration.ofSeconds(60)));
		CompletableFuture<LockAttempt> waiting = this.world
			.attempt(LockRequest.of("stock").withWaitFor(Duration.ofSeconds(5)).withRetryDelay(Duration.ofSeconds(30)));
		int before = this.world.counted.get(0).acquires.get();
		this.world.time.stepWallClock(ASLEEP);
		this.world.time.advance(Duration.ofSeconds(5));
		assertThat(waiting).isDone();
		assertThat(completed(waiting).lease()).isEmpty();
		assertThat(this.world.counted.get(0).acquires.get() - before).isLessThanOrEqualTo(2);
	}

}
