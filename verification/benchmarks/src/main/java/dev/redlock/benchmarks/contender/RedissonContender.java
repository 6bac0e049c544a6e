package dev.redlock.benchmarks.contender;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import org.redisson.Redisson;
import org.redisson.RedissonRedLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * The locks of Redisson, with its defaults and an explicit lease time: a client for each
 * server, as its documentation shows it.
 */
final class RedissonContender implements Contender {

	private final List<RedissonClient> clients;

	private final Function<String, RLock> locks;

	private final Terms terms;

	private RedissonContender(List<RedissonClient> clients, Function<String, RLock> locks, Terms terms) {
		this.clients = clients;
		this.locks = locks;
		this.terms = terms;
	}

	static Contender single(List<Integer> ports, Terms terms) {
		RedissonClient client = connect(ports.get(0));
		return new RedissonContender(List.of(client), (name) -> client.getLock("redisson-single:" + name), terms);
	}

	@SuppressWarnings("deprecation")
	static Contender redLock(List<Integer> ports, Terms terms) {
		List<RedissonClient> clients = ports.stream().map(RedissonContender::connect).toList();
		return new RedissonContender(clients,
				(name) -> new RedissonRedLock(
						clients.stream().map((client) -> client.getLock("redisson:" + name)).toArray(RLock[]::new)),
				terms);
	}

	@Override
	public boolean withLock(String name, Runnable work) {
		RLock lock = this.locks.apply(name);
		try {
			if (!lock.tryLock(this.terms.patience().toMillis(), this.terms.ttl().toMillis(), TimeUnit.MILLISECONDS)) {
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
		this.clients.forEach((client) -> client.shutdown(0, 1, TimeUnit.SECONDS));
	}

	private static RedissonClient connect(int port) {
		Config config = new Config();
		config.useSingleServer().setAddress("redis://127.0.0.1:" + port);
		return Redisson.create(config);
	}

}
