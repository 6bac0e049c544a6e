package dev.redlock.benchmarks.contender;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;

/**
 * The floor: what a careful user would write by hand with Lettuce. One
 * {@code SET key token NX PX ttl} on all servers at once, one compare-and-delete on all
 * servers at once, and the caller goes on at a majority of either. A refused try is taken
 * back on all servers and repeated after a random pause.
 * <p>
 * No fences, no guard against servers that forget, no renewal, no queue, nobody told of a
 * loss, and commands have no timeout of their own.
 */
final class FloorContender implements Contender {

	private static final String COMPARE_AND_DELETE = "if redis.call('get', KEYS[1]) == ARGV[1] then"
			+ " return redis.call('del', KEYS[1]) else return 0 end";

	private static final double DRIFT = 0.01;

	private static final long SHORTEST_PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

	private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	private final RedisClient client = RedisClient.create();

	private final List<RedisAsyncCommands<String, String>> servers;

	private final String script;

	private final Terms terms;

	private final SetArgs setArgs;

	FloorContender(List<Integer> ports, Terms terms) {
		this.terms = terms;
		this.setArgs = SetArgs.Builder.nx().px(terms.ttl().toMillis());
		this.client.setOptions(ClientOptions.builder()
			.disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
			.build());
		this.servers = ports.stream()
			.map((port) -> this.client.connect(RedisURI.create("127.0.0.1", port)))
			.map(StatefulRedisConnection::async)
			.toList();
		this.script = this.servers.get(0).digest(COMPARE_AND_DELETE);
		this.servers.forEach((server) -> server.scriptLoad(COMPARE_AND_DELETE).toCompletableFuture().join());
	}

	@Override
	public boolean withLock(String name, Runnable work) {
		String key = "floor:" + name;
		long start = System.nanoTime();
		do {
			String token = token();
			if (acquire(key, token)) {
				try {
					work.run();
				}
				finally {
					release(key, token).await();
				}
				return true;
			}
			release(key, token);
			LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(SHORTEST_PAUSE_NANOS, LONGEST_PAUSE_NANOS));
		}
		while (System.nanoTime() - start < this.terms.patience().toNanos());
		return false;
	}

	@Override
	public void close() {
		this.client.shutdown();
	}

	private boolean acquire(String key, String token) {
		long start = System.nanoTime();
		boolean granted = Ballot.of(this.servers, (server) -> server.set(key, token, this.setArgs), "OK"::equals)
			.await();
		return granted && System.nanoTime() - start < this.terms.ttl().toNanos() * (1 - DRIFT);
	}

	private Ballot release(String key, String token) {
		String[] keys = { key };
		return Ballot.of(this.servers,
				(server) -> server.<Long>evalsha(this.script, ScriptOutputType.INTEGER, keys, new String[] { token }),
				(reply) -> true);
	}

	/**
	 * Unique, not secret: the cheapest that does it.
	 */
	private static String token() {
		ThreadLocalRandom random = ThreadLocalRandom.current();
		return Long.toHexString(random.nextLong()) + Long.toHexString(random.nextLong());
	}

}
