package dev.redlock;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.LockWorld.Answers;
import dev.redlock.memory.InMemoryNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * The first try gets as much time as it gets without a time to wait.
 */
@ParameterizedClass
@EnumSource
class ShortWaitTests {

	private static final LockRequest TINY = LockRequest.of("stock").withWaitFor(Duration.ofNanos(100_000));

	@RegisterExtension
	final LockWorld world;

	ShortWaitTests(Answers answers) {
		this.world = new LockWorld(5, answers);
	}

	@Test
	void aTinyWaitGetsAFreeLockAlsoWhenItsNodesTakeLonger() {
		this.world.nodes.forEach(InMemoryNode::freeze);
		CompletableFuture<LockAttempt> attempt = this.world.attempt(TINY);
		this.world.time.advance(Duration.ofMillis(10));
		assertThat(attempt).isNotDone();
		this.world.nodes.forEach(InMemoryNode::up);
		assertThat(this.world.answered(attempt).lease()).isPresent();
	}

	@Test
	void aTinyWaitForSilentNodesEndsAtTheNodeTimeoutLikeNoWait() {
		this.world.nodes.forEach(InMemoryNode::freeze);
		CompletableFuture<LockAttempt> tiny = this.world.attempt(TINY);
		this.world.time.advance(Duration.ofMillis(499));
		assertThat(tiny).isNotDone();
		this.world.time.advance(Duration.ofMillis(1));
		assertThat(this.world.answered(tiny).reason()).contains(Reason.NO_QUORUM);
		assertThat(this.world.answered(tiny).tries()).isEqualTo(1);
	}

	@Test
	void aSecondTryIsCutShortAtTheEndOfTheWait() {
		Redlock other = this.world.another(LockWorld.settings(), 2);
		this.world.answered(other.attempt(LockRequest.of("stock")));
		CompletableFuture<LockAttempt> attempt = this.world
			.attempt(LockRequest.of("stock").withWaitFor(Duration.ofMillis(400)));
		this.world.answers();
		this.world.nodes.forEach(InMemoryNode::freeze);
		this.world.time.advance(Duration.ofMillis(400));
		assertThat(attempt).isDone();
		assertThat(this.world.answered(attempt).reason()).contains(Reason.HELD);
	}

	@Test
	void aRetryDelayUnderAMillisecondIsRefusedAndNamed() {
		assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.of("a").withRetryDelay(Duration.ofNanos(1)))
			.withMessageContaining("retryDelay")
			.withMessageContaining("1 ms")
			.withMessageContaining("PT0.000000001S");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> RedlockSettings.builder().retryDelay(Duration.ofNanos(999_999)).build())
			.withMessageContaining("retry.delay")
			.withMessageContaining("1 ms");
		assertThat(LockRequest.of("a").withRetryDelay(Duration.ofMillis(1)).retryDelay())
			.isEqualTo(Duration.ofMillis(1));
	}

	@Test
	void aFirstTryThatBeginsJustBeforeTheEndOfTheWaitGetsItsTime() {
		Lease first = this.world.acquire("stock");
		CompletableFuture<LockAttempt> waiter = this.world
			.attempt(LockRequest.of("stock").withWaitFor(Duration.ofSeconds(1)));
		this.world.time.advance(Duration.ofMillis(999));
		first.close();
		assertThat(this.world.answered(waiter).lease()).isPresent();
	}

}
