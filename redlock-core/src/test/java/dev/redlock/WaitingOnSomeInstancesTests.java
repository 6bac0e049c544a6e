package dev.redlock;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import dev.redlock.LockWorld.Answers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static dev.redlock.Completed.completed;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Those who wait for one name on different instances.
 */
@ParameterizedClass
@EnumSource
class WaitingOnSomeInstancesTests {

	private static final LockRequest STOCK = LockRequest.of("stock")
		.withTtl(Duration.ofSeconds(60))
		.withWaitFor(Duration.ofSeconds(50))
		.withRetryDelay(Duration.ofSeconds(40));

	private static final LockRequest HERE = STOCK.withInstances("a", "b", "c");

	private static final LockRequest THERE = STOCK.withInstances("d", "e", "f");

	@RegisterExtension
	final LockWorld world;

	WaitingOnSomeInstancesTests(Answers answers) {
		this.world = new LockWorld(6, answers);
	}

	@Test
	void aSingleTryAsksItsOwnInstancesAlsoIfThisProcessHoldsTheNameOnOthers() {
		this.world.acquire(this.world.redlock, HERE);
		LockRequest there = THERE.withWaitFor(Duration.ZERO);
		assertThat(this.world.answered(this.world.redlock.attempt(there)).orThrow().isValid()).isTrue();
	}

	@Test
	void aWaiterIsNotBehindOneForOtherInstances() {
		this.world.acquire(this.world.other, HERE);
		CompletableFuture<LockAttempt> first = this.world.attempt(this.world.redlock, HERE);
		this.world.time.advance(Duration.ofSeconds(1));
		CompletableFuture<LockAttempt> second = this.world.attempt(this.world.redlock, THERE);
		this.world.time.advance(Duration.ofSeconds(1));
		assertThat(second).isCompleted();
		assertThat(completed(second).lease()).isPresent();
		assertThat(first).isNotDone();
	}

}
