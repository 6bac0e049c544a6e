package dev.redlock.sim;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Watches for a lock that is free while somebody waits for it and nobody asks. Only
 * meaningful where announcements arrive: otherwise a waiter may sleep to the end of the
 * claim.
 */
final class SimIdleness {

	/**
	 * More than any pause beside a free lock: a retry delay, the time for which a process
	 * yields to others, or the time until it sees that its subscription was lost. Less
	 * than the ttl, to the end of which a waiter must not sleep.
	 */
	static final Duration LONGEST = Duration.ofMillis(280);

	private static final long PERIOD_NANOS = 5_000_000;

	private final World world;

	private final List<SimClient> clients;

	private final Map<String, Long> idleSince = new HashMap<>();

	private boolean over;

	SimIdleness(World world, List<SimClient> clients) {
		this.world = world;
		this.clients = clients;
	}

	void start() {
		this.world.after(PERIOD_NANOS, this::look);
	}

	void stop() {
		this.over = true;
	}

	/**
	 * Notes that somebody asks for a lock.
	 */
	void asked(List<String> keys) {
		keys.forEach((key) -> this.idleSince.put(key.split("#")[0], this.world.nowNanos()));
	}

	private void look() {
		if (this.over) {
			return;
		}
		for (String resource : SimClient.RESOURCES) {
			long now = this.world.nowNanos();
			if (this.clients.stream().noneMatch((client) -> client.couldHave(resource))) {
				this.idleSince.put(resource, now);
			}
			else if (now - this.idleSince.getOrDefault(resource, now) > LONGEST.toNanos()) {
				this.world.violated(Checker.SOMEBODY_ASKS, resource + " is free, and nobody asks");
				this.idleSince.put(resource, now);
			}
			else {
				this.idleSince.putIfAbsent(resource, now);
			}
		}
		start();
	}

}
