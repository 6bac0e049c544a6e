package dev.redlock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

import dev.redlock.memory.InMemoryNode;
import dev.redlock.memory.ManualTime;
import dev.redlock.spi.LockNode;

/**
 * Servers that processes reach over a network, and a time that stands still.
 */
final class DistantServers {

	static final Duration DELAY = Duration.ofNanos(150_000);

	final ManualTime time = new ManualTime();

	final List<InMemoryNode> servers = new ArrayList<>();

	private final SplittableRandom random;

	/**
	 * Five servers.
	 */
	DistantServers(long seed) {
		this(seed, 5);
	}

	DistantServers(long seed, int count) {
		this.random = new SplittableRandom(seed);
		for (int i = 0; i < count; i++) {
			this.servers.add(new InMemoryNode("n" + i, this.time));
		}
	}

	/**
	 * The connections of one more process.
	 */
	List<DelayedNode> connect() {
		return this.servers.stream()
			.map((server) -> new DelayedNode(server, this.time, DELAY, this.random.split()))
			.toList();
	}

	/**
	 * One more process, over connections of its own.
	 */
	Redlock process() {
		return process(connect());
	}

	Redlock process(List<? extends LockNode> connections) {
		return builder(connections).build();
	}

	Redlock.Builder builder(List<? extends LockNode> connections) {
		return Redlock.over(connections)
			.settings(RedlockFixture.settings())
			.ticker(this.time)
			.loop(this.time)
			.random(this.random.split())
			.callbacks(Runnable::run);
	}

	/** How many servers have the key. */
	long heldOn(String key) {
		return this.servers.stream().filter((server) -> server.tokens().containsKey(key)).count();
	}

}
