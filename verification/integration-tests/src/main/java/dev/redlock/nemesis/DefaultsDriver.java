package dev.redlock.nemesis;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * This project's lock with the defaults of all its properties, ttl and largest ttl
 * included.
 */
final class DefaultsDriver implements LockDriver {

	private final RedlockDriver lock = new RedlockDriver();

	@Override
	public void connect(Iterable<String> addresses, boolean restartGuard) {
		this.lock.connect(addresses, restartGuard, Map.of());
	}

	@Override
	public Optional<Grant> acquire(String name, Duration ttl, Duration wait) {
		return this.lock.acquire(name, ttl, wait);
	}

	@Override
	public void close() {
		this.lock.close();
	}

}
