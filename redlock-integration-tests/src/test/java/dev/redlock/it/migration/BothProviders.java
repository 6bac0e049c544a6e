package dev.redlock.it.migration;

import java.util.Optional;

import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;

/**
 * The release in between: a task runs if it gets the former lock and the next one.
 */
// region: migration-both-providers
class BothProviders implements LockProvider {

	private final LockProvider former;

	private final LockProvider next;

	BothProviders(LockProvider former, LockProvider next) {
		this.former = former;
		this.next = next;
	}

	@Override
	public Optional<SimpleLock> lock(LockConfiguration configuration) {
		return this.former.lock(configuration).flatMap((first) -> alsoNext(first, configuration));
	}

	private Optional<SimpleLock> alsoNext(SimpleLock first, LockConfiguration configuration) {
		Optional<SimpleLock> second = Optional.empty();
		try {
			second = this.next.lock(configuration);
		}
		finally {
			if (second.isEmpty()) {
				first.unlock();
			}
		}
		return second.map((lock) -> () -> unlock(first, lock));
	}

	private static void unlock(SimpleLock first, SimpleLock second) {
		try {
			second.unlock();
		}
		finally {
			first.unlock();
		}
	}

}
// endregion
