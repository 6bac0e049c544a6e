package dev.redlock.it.migration;

import java.util.Optional;

import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;

/**
 * Stands for the provider that the application had before.
 */
final class OneProcess implements LockProvider {

	private boolean held;

	@Override
	public Optional<SimpleLock> lock(LockConfiguration configuration) {
		if (this.held) {
			return Optional.empty();
		}
		this.held = true;
		return Optional.of(() -> this.held = false);
	}

}
