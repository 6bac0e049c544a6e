package dev.redlock.spring.internal.lease;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;

import dev.redlock.LockWorld;
import dev.redlock.spring.template.RedLockTemplate;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StackOverflowTests {

	private static final int CALLS = 200_000;

	private final LockWorld world = new LockWorld();

	private final RedLockTemplate template = new RedLockTemplate(this.world.redlock, Runnable::run);

	/** A stack that is full of calls has no room for one frame more for each of them. */
	@Test
	void aCallEndsHoweverManyCallsAreAroundIt() {
		this.template.execute(this.world.now("a"), (lease) -> {
			Deque<NestedLease> calls = new ArrayDeque<>();
			BoundLease innermost = (BoundLease) lease;
			for (int i = 0; i < CALLS; i++) {
				NestedLease nested = new NestedLease(innermost, Set.of("a"));
				assertThat(nested.reEnter()).isTrue();
				calls.push(nested);
				innermost = nested;
			}
			return assertThat(calls).allSatisfy((call) -> {
				assertThat(call.lossReason()).isEmpty();
				assertThat(call.endUse()).isNull();
			});
		});
		assertThat(this.world.isHeld("a")).isFalse();
	}

}
