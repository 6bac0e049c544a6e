package dev.redlock.spring.template;

import java.util.function.Supplier;

import dev.redlock.CurrentLease;
import dev.redlock.LockWorld;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Locked work that calls itself until the stack of its thread is full.
 */
class StackOverflowTests {

	private final LockWorld world = new LockWorld();

	private final RedLockTemplate template = new RedLockTemplate(this.world.redlock, Runnable::run);

	@Test
	void aLockWhoseReEntriesFillTheStackIsReleasedWhenTheOutermostCallEnds() throws Exception {
		// Loads the classes that a failed call needs, because a class that fails to load
		// on
		// a full stack never loads again.
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> execute(() -> execute(() -> {
			throw new AssertionError("of the callback");
		})));
		for (int kib : new int[] { 192, 208 }) {
			Thread thread = new Thread(null, () -> {
				assertThatExceptionOfType(StackOverflowError.class).isThrownBy(this::recurse);
				assertThat(CurrentLease.get()).isEmpty();
			}, "recursion", kib * 1024L);
			thread.start();
			thread.join();
			assertThat(this.world.redlock.leases()).as("leases after a stack of %d KiB", kib).isEmpty();
			assertThat(this.world.isHeld("a")).isFalse();
		}
	}

	private Object recurse() {
		return execute(this::recurse);
	}

	private Object execute(Supplier<Object> work) {
		return this.template.execute(this.world.now("a"), (lease) -> work.get());
	}

}
