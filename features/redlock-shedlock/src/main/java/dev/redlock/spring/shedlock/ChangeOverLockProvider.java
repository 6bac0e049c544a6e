package dev.redlock.spring.shedlock;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;

/**
 * A lock provider of ShedLock for the release in which an application changes from one
 * lock provider to another. A task runs if it gets both locks, so the task excludes the
 * processes of the old release and of the new one. {@code LockExtender} extends both
 * locks.
 */
public final class ChangeOverLockProvider implements LockProvider {

	private final LockProvider former;

	private final LockProvider next;

	/**
	 * Creates a provider.
	 * @param former the provider of the old release, which is asked first
	 * @param next the provider of the new release
	 */
	public ChangeOverLockProvider(LockProvider former, LockProvider next) {
		this.former = former;
		this.next = next;
	}

	/**
	 * Asks for both locks.
	 * @param configuration what to lock, and for how long
	 * @return the lock, empty if one of the two locks is held
	 */
	@Override
	public Optional<SimpleLock> lock(LockConfiguration configuration) {
		return this.former.lock(configuration).flatMap((first) -> with(first, () -> this.next.lock(configuration)));
	}

	/**
	 * Adds a second lock to the first lock. If the second lock is not acquired, the first
	 * lock is unlocked.
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
		 * Extends both locks. If only one lock can be extended, this lock is unlocked, so
		 * that the task has no lock, as after a failed extension with one provider.
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
