package dev.redlock.spring.template;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.redlock.LockRequest;
import dev.redlock.LockWorld;
import dev.redlock.Redlock;
import dev.redlock.Tick;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A tick that is marked after the work is not marked if the work did not begin.
 */
class UnusedTickTests {

	private final LockWorld world = new LockWorld();

	private final LockRequest request = this.world.now("job")
		.withTick(new Tick(this.world.time.epochMicros(), Duration.ofHours(1), Duration.ofSeconds(1), true));

	@Test
	void workThatIsCancelledBeforeItBeginsLeavesItsTickToAnother() {
		List<Runnable> later = new ArrayList<>();
		RedLockTemplate template = new RedLockTemplate(this.world.redlock, later::add);
		template.executeAsync(this.request, (lease) -> unexpected()).cancel(false);
		List.copyOf(later).forEach(Runnable::run);
		assertThat(isGrantedTo(this.world.other)).isTrue();
	}

	@Test
	void workInsideOfAJobThatDidNotBeginDoesNotTakeTheMarkFromTheJob() {
		List<Runnable> later = new ArrayList<>();
		RedLockTemplate template = new RedLockTemplate(this.world.redlock, later::add);
		CompletableFuture<Void> inner = template.execute(this.request,
				(lease) -> template.executeAsync(this.world.now("job", "other"), (both) -> unexpected()));
		inner.cancel(false);
		List.copyOf(later).forEach(Runnable::run);
		assertThat(this.world.isHeld("job")).isFalse();
		assertThat(isGrantedTo(this.world.other)).isFalse();
	}

	@Test
	void workThatBeganMarksItsTick() {
		RedLockTemplate template = new RedLockTemplate(this.world.redlock, Runnable::run);
		template.executeAsync(this.request, (lease) -> CompletableFuture.completedFuture(null)).join();
		assertThat(isGrantedTo(this.world.other)).isFalse();
	}

	private boolean isGrantedTo(Redlock other) {
		return other.attemptAndWait(this.request).lease().isPresent();
	}

	private static CompletableFuture<Void> unexpected() {
		throw new AssertionError("The work began");
	}

}
