package dev.redlock.spring.template;

import dev.redlock.CurrentLease;
import dev.redlock.LockLostException;
import dev.redlock.LockWorld;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class RedLockAssertTests {

	private final LockWorld world = new LockWorld();

	private final RedLockTemplate template = new RedLockTemplate(this.world.redlock, Runnable::run);

	@Test
	void workUnderALongNameIsSatisfiedByTheNameThatItAskedFor() {
		String name = "x".repeat(5000);
		this.template.execute(this.world.now(name), (lease) -> {
			assertThat(lease.resources().iterator().next()).hasSize(584);
			RedLockAssert.assertLocked(name);
			assertThat(CurrentLease.forResource(name)).isPresent();
			return this.template.execute(this.world.now(name), (inner) -> null);
		});
	}

	@Test
	void workWithoutAnyLockIsRefused() {
		assertThatIllegalStateException().isThrownBy(RedLockAssert::assertLocked).withMessageContaining("@RedLock");
		assertThatIllegalStateException().isThrownBy(() -> RedLockAssert.assertLocked("a"))
			.withMessageContaining("the lock on a, and the current thread holds no lock");
	}

	@Test
	void workUnderAnotherLockIsRefused() {
		this.template.execute(this.world.now("a"), (lease) -> {
			assertThatIllegalStateException().isThrownBy(() -> RedLockAssert.assertLocked("a", "b"))
				.withMessageContaining("the lock on b, and the current thread holds only the lock on [a]");
			return null;
		});
	}

	@Test
	void workUnderALostLockIsRefused() {
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.template.execute(this.world.now("a"), (lease) -> {
				this.world.time.advance(LockWorld.TOO_LONG);
				assertThatExceptionOfType(LockLostException.class).isThrownBy(RedLockAssert::assertLocked);
				RedLockAssert.assertLocked("a");
				return null;
			}));
	}

}
