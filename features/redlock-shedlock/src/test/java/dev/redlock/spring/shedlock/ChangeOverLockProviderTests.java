package dev.redlock.spring.shedlock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockExtender;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.LockingTaskExecutor;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ChangeOverLockProviderTests {

	private static final Duration HOUR = Duration.ofHours(1);

	private final Store former = new Store();

	private final Store next = new Store();

	private final ChangeOverLockProvider provider = new ChangeOverLockProvider(this.former, this.next);

	@Test
	void aTaskRunsUnderBothLocks() {
		SimpleLock lock = this.provider.lock(job()).orElseThrow();
		assertHeld(true);
		assertThat(this.provider.lock(job())).isEmpty();
		lock.unlock();
		assertHeld(false);
	}

	@Test
	void withOneLockOfTheTwoATaskDoesNotRun() {
		this.next.lock(job());
		assertThat(this.provider.lock(job())).isEmpty();
		assertThat(this.former.held).isFalse();
	}

	@Test
	void aFailureOfTheNextStoreGivesTheFormerLockBack() {
		this.next.failing = true;
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> this.provider.lock(job()));
		assertThat(this.former.held).isFalse();
	}

	@Test
	void lockExtenderExtendsBothLocks() throws Throwable {
		LockingTaskExecutor tasks = new DefaultLockingTaskExecutor(this.provider);
		tasks.executeWithLock((LockingTaskExecutor.Task) () -> {
			LockExtender.extendActiveLock(HOUR, Duration.ZERO);
			LockExtender.extendActiveLock(HOUR, Duration.ZERO);
			assertHeld(true);
		}, job());
		assertThat(this.former.extensions).hasValue(2);
		assertThat(this.next.extensions).hasValue(2);
		assertHeld(false);
	}

	@Test
	void aLockOfWhichOneHalfCannotBeExtendedIsGivenBack() {
		for (Store store : new Store[] { this.former, this.next }) {
			SimpleLock lock = this.provider.lock(job()).orElseThrow();
			store.over = true;
			assertThat(lock.extend(HOUR, Duration.ZERO)).isEmpty();
			assertThat(this.former.held && !this.former.over).isFalse();
			assertThat(this.next.held && !this.next.over).isFalse();
			store.over = false;
			store.held = false;
		}
	}

	private void assertHeld(boolean held) {
		assertThat(this.former.held).isEqualTo(held);
		assertThat(this.next.held).isEqualTo(held);
	}

	private static LockConfiguration job() {
		return new LockConfiguration(ClockProvider.now(), "job", HOUR, Duration.ZERO);
	}

	/**
	 * A store with one lock.
	 */
	private static final class Store implements LockProvider {

		private final AtomicInteger extensions = new AtomicInteger();

		private boolean held;

		private boolean failing;

		private boolean over;

		@Override
		public Optional<SimpleLock> lock(LockConfiguration configuration) {
			if (this.failing) {
				throw new IllegalStateException("The store is down.");
			}
			if (this.held) {
				return Optional.empty();
			}
			this.held = true;
			return Optional.of(held(configuration));
		}

		private SimpleLock held(LockConfiguration configuration) {
			return new AbstractSimpleLock(configuration) {

				@Override
				protected void doUnlock() {
					Store.this.held = false;
				}

				@Override
				protected Optional<SimpleLock> doExtend(LockConfiguration extended) {
					if (Store.this.over) {
						return Optional.empty();
					}
					Store.this.extensions.incrementAndGet();
					return Optional.of(held(extended));
				}

			};
		}

	}

}
