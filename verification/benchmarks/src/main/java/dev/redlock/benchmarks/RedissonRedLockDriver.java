package dev.redlock.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import dev.redlock.nemesis.LockDriver;
import org.redisson.Redisson;
import org.redisson.RedissonRedLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.client.RedisConnectionException;
import org.redisson.config.Config;

/**
 * The {@code RedissonRedLock} of Redisson, with the timeouts that this project's lock is
 * given as well: its defaults of seconds are longer than the locks of the suite live.
 * <p>
 * It has no fence and tells no validity, so a holder believes in its lease time from when
 * the call returns; the checker also counts from before the call. It has nothing against
 * servers that forget: its documentation leaves that to how they are run.
 */
public final class RedissonRedLockDriver implements LockDriver {

	private static final int TIMEOUT_MILLIS = 100;

	private static final int CONNECT_TIMEOUT_MILLIS = 1_000;

	private static final int CONNECTIONS = 8;

	private static final int THREADS = 4;

	/**
	 * A cold JVM may take longer to connect than the short timeout allows.
	 */
	private static final int MOST_STARTS = 10;

	private final List<RedissonClient> clients = new ArrayList<>();

	/**
	 * Creates a driver that is not connected.
	 */
	public RedissonRedLockDriver() {
	}

	@Override
	public void connect(Iterable<String> addresses, boolean restartGuard) {
		for (String address : addresses) {
			Config config = new Config();
			config.setThreads(THREADS).setNettyThreads(THREADS);
			config.useSingleServer()
				.setAddress("redis://" + address)
				.setTimeout(TIMEOUT_MILLIS)
				.setConnectTimeout(CONNECT_TIMEOUT_MILLIS)
				.setRetryAttempts(0)
				.setConnectionMinimumIdleSize(1)
				.setConnectionPoolSize(CONNECTIONS)
				.setSubscriptionConnectionMinimumIdleSize(1)
				.setSubscriptionConnectionPoolSize(CONNECTIONS);
			this.clients.add(create(config, MOST_STARTS));
		}
	}

	@Override
	@SuppressWarnings("deprecation")
	public Optional<Grant> acquire(String name, Duration ttl, Duration wait) throws InterruptedException {
		RLock[] locks = this.clients.stream().map((client) -> client.getLock(KEY_PREFIX + name)).toArray(RLock[]::new);
		RLock lock = new RedissonRedLock(locks);
		if (!lock.tryLock(wait.toMillis(), ttl.toMillis(), TimeUnit.MILLISECONDS)) {
			return Optional.empty();
		}
		return Optional.of(new LeaseTime(lock, System.nanoTime() + ttl.toNanos()));
	}

	@Override
	public void close() {
		this.clients.forEach((client) -> client.shutdown(0, 1, TimeUnit.SECONDS));
	}

	private static RedissonClient create(Config config, int starts) {
		try {
			return Redisson.create(config);
		}
		catch (RedisConnectionException ex) {
			if (starts == 1) {
				throw ex;
			}
			return create(config, starts - 1);
		}
	}

	private record LeaseTime(RLock lock, long validUntilNanos) implements Grant {

		@Override
		public long fence() {
			return 0;
		}

		@Override
		public int release() {
			this.lock.unlock();
			return -1;
		}

	}

}
