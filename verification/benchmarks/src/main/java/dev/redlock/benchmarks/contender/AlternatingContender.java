package dev.redlock.benchmarks.contender;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;

/**
 * Strict alternation by hand, for two processes with one thread each and one name: a
 * process that has released asks again as soon as a majority of the servers has announced
 * a release of the other one. Shows what alternation costs at the least.
 */
final class AlternatingContender implements Contender {

	private static final String RELEASE = "if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('del', KEYS[1])"
			+ " redis.call('publish', KEYS[1], ARGV[1]) return 1 else return 0 end";

	/** The other process may have ended. */
	private static final long LONGEST_TURN_MILLIS = 300;

	private static final String OWNER_END = ":";

	private final RedisClient client = RedisClient.create();

	private final List<RedisAsyncCommands<String, String>> servers;

	private final List<StatefulRedisPubSubConnection<String, String>> subscriptions;

	private final Terms terms;

	private final String owner = Long.toHexString(ThreadLocalRandom.current().nextLong());

	private final Semaphore turns = new Semaphore(0);

	/** How many servers have announced the latest release. */
	private final Map<String, Integer> announced = new HashMap<>();

	private boolean subscribed;

	AlternatingContender(List<Integer> ports, Terms terms) {
		this.terms = terms;
		List<RedisURI> addresses = ports.stream().map((port) -> RedisURI.create("127.0.0.1", port)).toList();
		this.servers = addresses.stream().map(this.client::connect).map(StatefulRedisConnection::async).toList();
		this.subscriptions = addresses.stream().map(this.client::connectPubSub).toList();
	}

	@Override
	public boolean withLock(String name, Runnable work) {
		String key = "alternating:" + name;
		subscribe(key);
		long start = System.nanoTime();
		do {
			String token = this.owner + OWNER_END + Long.toHexString(ThreadLocalRandom.current().nextLong());
			this.turns.drainPermits();
			SetArgs args = SetArgs.Builder.nx().px(this.terms.ttl().toMillis());
			if (Ballot.of(this.servers, (server) -> server.set(key, token, args), "OK"::equals).await()) {
				try {
					work.run();
				}
				finally {
					this.turns.drainPermits();
					release(key, token);
					awaitTurn();
				}
				return true;
			}
			release(key, token);
			awaitTurn();
		}
		while (System.nanoTime() - start < this.terms.patience().toNanos());
		return false;
	}

	@Override
	public void close() {
		this.client.shutdown();
	}

	private void subscribe(String key) {
		if (!this.subscribed) {
			this.subscribed = true;
			for (StatefulRedisPubSubConnection<String, String> subscription : this.subscriptions) {
				subscription.addListener(new RedisPubSubAdapter<>() {
					@Override
					public void message(String channel, String token) {
						announced(token);
					}
				});
				subscription.sync().subscribe(key);
			}
		}
	}

	private synchronized void announced(String token) {
		if (token.startsWith(this.owner + OWNER_END)) {
			return;
		}
		int majority = this.servers.size() / 2 + 1;
		if (this.announced.merge(token, 1, Integer::sum) == majority) {
			this.announced.keySet().removeIf((other) -> !other.equals(token));
			this.turns.release();
		}
	}

	private void awaitTurn() {
		try {
			this.turns.tryAcquire(ThreadLocalRandom.current().nextLong(LONGEST_TURN_MILLIS / 2, LONGEST_TURN_MILLIS),
					TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void release(String key, String token) {
		String[] keys = { key };
		Ballot.of(this.servers, (server) -> server.<Long>eval(RELEASE, ScriptOutputType.INTEGER, keys, token),
				(reply) -> true);
	}

}
