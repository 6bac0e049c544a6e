package dev.redlock.benchmarks.contender;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/**
 * The lock registry of Spring Integration, with its defaults.
 */
final class SpringIntegrationContender implements Contender {

	private final LettuceConnectionFactory connections;

	private final RedisLockRegistry registry;

	private final Terms terms;

	SpringIntegrationContender(List<Integer> ports, Terms terms, RedisLockType type) {
		this.terms = terms;
		this.connections = ConnectionFactories.connect(ports.get(0));
		this.registry = new RedisLockRegistry(this.connections, "integration-" + type, terms.ttl().toMillis());
		this.registry.setRedisLockType(type);
	}

	@Override
	public boolean withLock(String name, Runnable work) {
		Lock lock = this.registry.obtain(name);
		try {
			if (!lock.tryLock(this.terms.patience().toMillis(), TimeUnit.MILLISECONDS)) {
				return false;
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
		try {
			work.run();
		}
		finally {
			lock.unlock();
		}
		return true;
	}

	@Override
	public void close() {
		this.registry.destroy();
		this.connections.destroy();
	}

}
