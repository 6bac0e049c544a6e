package dev.redlock.spring.template;

import java.util.Set;

import dev.redlock.LockWorld;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StackOverflowTests {

	private static final int CALLS = 200_000;

	private final LockWorld world = new LockWorld();

	private final RedLockTemplate template = new RedLockTemplate(this.world.redlock, Runnable::run);

	/** A call that ends asks for the loss, perhaps on a stack that is full of calls. */
	@Test
	void theLossOfALeaseIsKnownHoweverManyCallsHaveReEnteredIt() {
		this.template.execute(this.world.now("a"), (lease) -> {
			BoundLease innermost = (BoundLease) lease;
			for (int i = 0; i < CALLS; i++) {
				innermost = new NestedLease(innermost, Set.of("a"));
			}
			assertThat(innermost.isValid()).isTrue();
			return assertThat(innermost.lossReason()).isEmpty();
		});
	}

}
