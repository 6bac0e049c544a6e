package dev.redlock.spring.shedlock;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;

/**
 * A ShedLock lock provider for the release in which an application changes from one lock
 * provider to another. A task runs only with the locks of both providers, so a running
 * task excludes processes of the old and the new release. {@code LockExtender} extends
 * the locks of both providers.
 */
public final class ChangeOverLockProvider implements LockProvider {

	private final LockProvider former;

	private final LockProvider next;

	/**
	 * Creates a provider.
	 * @param former the lock provider of the old release, which is asked first
	 * @param next the lock provider of the new release
	 */
	public ChangeOverLockProvider(LockProvider former, LockProvider next) {
		this.former = former;
		this.next = next;
	}

	@Override
	public Optional<SimpleLock> lock(LockConfiguration configuration) {
		return this.former.lock(configuration).flatMap((first) -> with(first, () -> this.next.lock(configuration)));
	}

	/**
	 * If the second lock is not acquired, the first lock is unlocked.
	 */
	private static Optional<SimpleLock> with(SimpleLock first, Supplier<Optional<SimpleLock>> next) {
		Optional<SimpleLock> second = Optional.empty();
		try {
			second = next.get();
		}
		finally {
			if (second.isEmpty()) {
				first.unlock();
			}
		}
		return second.map((lock) -> new Both(first, lock));
	}

	private record Both(SimpleLock first, SimpleLock second) implements SimpleLock {

		@Override
		public void unlock() {
			try {
				this.second.unlock();
			}
			finally {
				this.first.unlock();
			}
		}

		/**
		 * If only one lock can be extended, that lock is unlocked, because the task must
		 * have both locks or none.
		 */
		@Override
		public Optional<SimpleLock> extend(Duration lockAtMostFor, Duration lockAtLeastFor) {
			Optional<SimpleLock> extended = this.first.extend(lockAtMostFor, lockAtLeastFor);
			if (extended.isEmpty()) {
				this.second.unlock();
			}
			return extended.flatMap((lock) -> with(lock, () -> this.second.extend(lockAtMostFor, lockAtLeastFor)));
		}

	}

}
