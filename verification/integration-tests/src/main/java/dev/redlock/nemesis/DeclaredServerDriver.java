package dev.redlock.nemesis;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * This project's lock on the last of the servers alone, which is declared to keep each
 * write that it has acknowledged.
 */
final class DeclaredServerDriver implements LockDriver {

	private final RedlockDriver lock = new RedlockDriver();

	@Override
	public void connect(Iterable<String> addresses, boolean restartGuard) {
		String last = "";
		for (String address : addresses) {
			last = address;
		}
		Map<String, Object> properties = new HashMap<>(RedlockDriver.shortTimes());
		properties.put("redlock.instances.a.keeps-acknowledged-writes", true);
		this.lock.connect(List.of(last), restartGuard, properties);
	}

	@Override
	public Optional<Grant> acquire(String name, Duration ttl, Duration wait) throws InterruptedException {
		return this.lock.acquire(name, ttl, wait);
	}

	@Override
	public void close() {
		this.lock.close();
	}

}
