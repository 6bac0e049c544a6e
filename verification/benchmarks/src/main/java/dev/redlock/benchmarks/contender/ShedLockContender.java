package dev.redlock.benchmarks.contender;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * ShedLock over Spring Data Redis, with its defaults. It is made for jobs that are
 * skipped where somebody else runs them, and so never waits.
 */
final class ShedLockContender implements Contender {

	private final LettuceConnectionFactory connections;

	private final LockProvider provider;

	private final Terms terms;

	ShedLockContender(List<Integer> ports, Terms terms) {
		this.terms = terms;
		this.connections = ConnectionFactories.connect(ports.get(0));
		this.provider = new RedisLockProvider(this.connections);
	}

	@Override
	public boolean withLock(String name, Runnable work) {
		Optional<SimpleLock> lock = this.provider
			.lock(new LockConfiguration(Instant.now(), name, this.terms.ttl(), Duration.ZERO));
		if (lock.isEmpty()) {
			return false;
		}
		try {
			work.run();
		}
		finally {
			lock.get().unlock();
		}
		return true;
	}

	@Override
	public void close() {
		this.connections.destroy();
	}

}
