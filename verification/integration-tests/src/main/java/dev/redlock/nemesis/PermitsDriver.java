package dev.redlock.nemesis;

import java.time.Duration;
import java.util.Optional;

import dev.redlock.LockRequest;

/**
 * Permits of this project, two for each name. They have no fences that the suite can
 * check, because a fence belongs to one of the permits.
 */
public final class PermitsDriver implements LockDriver {

	static final int PERMITS = 2;

	private final RedlockDriver lock = new RedlockDriver();

	/**
	 * Creates a driver that is not connected.
	 */
	public PermitsDriver() {
	}

	@Override
	public void connect(Iterable<String> addresses, boolean restartGuard) {
		this.lock.connect(addresses, restartGuard);
	}

	@Override
	public Optional<Grant> acquire(String name, Duration ttl, Duration wait) {
		LockRequest request = LockRequest.of(name).withPermits(PERMITS).withTtl(ttl).withWaitFor(wait);
		return this.lock.acquire(request).map(Unfenced::new);
	}

	@Override
	public void close() {
		this.lock.close();
	}

	private record Unfenced(Grant grant) implements Grant {

		@Override
		public long fence() {
			return 0;
		}

		@Override
		public long validUntilNanos() {
			return this.grant.validUntilNanos();
		}

		@Override
		public void onLoss(Runnable listener) {
			this.grant.onLoss(listener);
		}

		@Override
		public int release() {
			return this.grant.release();
		}

	}

}
