package dev.redlock.spring.template;

import dev.redlock.LockLostException;
import dev.redlock.LockWorld;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class LockHoldTests {

	private final LockWorld world = new LockWorld();

	private final RedLockTemplate template = new RedLockTemplate(this.world.redlock, Runnable::run);

	@Test
	void lockIsKeptAfterTheWorkUntilTheHoldIsEnded() {
		LockHold hold = this.template.execute(this.world.now("x"), (lease) -> this.template.hold(this.world.now("x")));
		assertThat(this.world.isHeld("x")).isTrue();
		assertThat(hold.end()).isEmpty();
		assertThat(this.world.isHeld("x")).isFalse();
		assertThat(hold.end()).isEmpty();
	}

	@Test
	void holdThatIsEndedInsideOfTheWorkLeavesTheLockToTheWork() {
		this.template.execute(this.world.now("x"), (lease) -> {
			this.template.hold(this.world.now("x")).end();
			assertThat(this.world.isHeld("x")).isTrue();
			return null;
		});
		assertThat(this.world.isHeld("x")).isFalse();
	}

	@Test
	void endOfAHoldTellsOfALossOnce() {
		LockHold hold = this.template.execute(this.world.now("x"), (lease) -> this.template.hold(this.world.now("x")));
		this.world.time.advance(LockWorld.TOO_LONG);
		assertThat(hold.end()).get().isInstanceOf(LockLostException.class);
		assertThat(hold.end()).isEmpty();
	}

	@Test
	void holdOfWhatTheThreadDoesNotHoldIsRefused() {
		this.template.execute(this.world.now("x"), (lease) -> {
			assertThatIllegalStateException().isThrownBy(() -> this.template.hold(this.world.now("x", "y")))
				.withMessageContaining("holds no lock on [y]");
			return null;
		});
		assertThat(this.world.isHeld("x")).isFalse();
	}

	@Test
	void operationsWithoutLocksHoldNothing() {
		assertThat(RedLockOperations.withoutLocks().hold(this.world.now("x")).end()).isEmpty();
	}

}
