package dev.redlock.it.jpa;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

import dev.redlock.Redlock;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.memory.ManualTime;

/**
 * A real lock over nodes in memory, for transactions that keep a lock.
 */
public final class LockInMemory {

	private LockInMemory() {
	}

	public static Redlock create() {
		ManualTime time = new ManualTime();
		List<InMemoryNode> nodes = Stream.of("a", "b", "c").map((name) -> new InMemoryNode(name, time)).toList();
		return Redlock.over(nodes)
			.ticker(time)
			.loop(time)
			.callbacks(Runnable::run)
			.random(new SplittableRandom(1))
			.build();
	}

}
