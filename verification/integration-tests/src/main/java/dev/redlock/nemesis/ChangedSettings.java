package dev.redlock.nemesis;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

import dev.redlock.test.RedisNode;

/**
 * The settings of running servers that were changed, and are set back later: so late that
 * clients have often looked meanwhile, and sometimes not.
 */
final class ChangedSettings {

	private static final int LEAST_ROUNDS = 2;

	private static final int MOST_ROUNDS = 14;

	/**
	 * So many servers may be told to evict at a time. More would break no promise, since
	 * none evicts. But an unfit majority grants nothing, and nothing would be tested.
	 */
	private static final int MOST_EVICTING = NemesisSettings.SERVERS / 2;

	/**
	 * Clients look every 20 s. One look may be lost on a network that fails.
	 */
	private static final Duration LOOKED_AT_WITHIN = Duration.ofSeconds(45);

	private static final Duration POLL_EVERY = Duration.ofMillis(20);

	private static final int MOST_POLLS = 500;

	/**
	 * The servers that may evict, and for how many rounds more.
	 */
	private final Map<RedisNode, Integer> evicting = new HashMap<>();

	/**
	 * The durable servers that write nothing to their disk, and since when.
	 */
	private final Map<RedisNode, Long> weakened = new HashMap<>();

	/**
	 * Whether a fault may happen to a server. A server that may evict must not be full: M
	 * rests on noeviction, and clients learn of another policy only when they look. A
	 * server that writes nothing must not be killed before clients know that of it: they
	 * would believe that it has everything.
	 */
	boolean allows(Fault fault, RedisNode server) {
		return switch (fault) {
			case OUT_OF_MEMORY -> !this.evicting.containsKey(server);
			case CONFIG_POLICY -> !this.evicting.containsKey(server) && this.evicting.size() < MOST_EVICTING;
			case RESTART_WITH_DATA, POWER_CUT, POWER_CUT_OF_ALL -> !this.weakened.containsKey(server);
			case CONFIG_DURABILITY -> !this.weakened.containsKey(server) || isKnownAsWeakened(server);
			default -> true;
		};
	}

	/**
	 * Whether a fault makes a server forget that would not if its settings were as ever.
	 */
	boolean makesForget(Fault fault, RedisNode server) {
		return fault == Fault.CONFIG_DURABILITY && this.weakened.containsKey(server);
	}

	void evict(RedisNode server, Random random) {
		server.command("CONFIG", "SET", "maxmemory-policy", "volatile-ttl");
		this.evicting.put(server, random.nextInt(LEAST_ROUNDS, MOST_ROUNDS));
	}

	/**
	 * Stops a durable server from writing. The next time it is killed, and comes back
	 * durable again and with what it had written before: an old snapshot.
	 */
	void weakenOrRestart(RedisNode server) {
		if (this.weakened.remove(server) != null) {
			server.restartWithData();
			return;
		}
		server.command("CONFIG", "SET", "appendonly", "no");
		this.weakened.put(server, System.nanoTime());
	}

	/**
	 * Called when all servers can be reached.
	 */
	void roundIsOver() {
		Set<RedisNode> over = new HashSet<>();
		this.evicting.replaceAll((server, rounds) -> rounds - 1);
		this.evicting.forEach((server, rounds) -> {
			if (rounds <= 0) {
				over.add(server);
			}
		});
		over.forEach(this::evictNoLonger);
	}

	/**
	 * Called when all servers can be reached.
	 */
	void setAllBack() {
		Set.copyOf(this.evicting.keySet()).forEach(this::evictNoLonger);
		this.weakened.keySet().forEach((server) -> {
			server.command("CONFIG", "SET", "appendonly", "yes");
			awaitWritten(server);
		});
		this.weakened.clear();
	}

	/**
	 * One that was restarted meanwhile has its first settings already.
	 */
	private void evictNoLonger(RedisNode server) {
		server.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
		this.evicting.remove(server);
	}

	private boolean isKnownAsWeakened(RedisNode server) {
		Long since = this.weakened.get(server);
		return since != null && System.nanoTime() - since > LOOKED_AT_WITHIN.toNanos();
	}

	private static void awaitWritten(RedisNode server) {
		for (int i = 0; i < MOST_POLLS; i++) {
			if (String.valueOf(server.command("INFO", "persistence")).contains("aof_rewrite_in_progress:0")) {
				return;
			}
			LockSupport.parkNanos(POLL_EVERY.toNanos());
		}
		throw new IllegalStateException(
				server + " has not written its data within " + POLL_EVERY.multipliedBy(MOST_POLLS).toSeconds() + " s");
	}

}
