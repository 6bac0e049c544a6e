package dev.redlock.spring.template;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.RedlockSettings;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.memory.ManualTime;

/**
 * A real lock over in-memory nodes and time that stands still.
 */
public final class LockWorld {

	/** Longer than the default ttl of 30 seconds. */
	public static final Duration TOO_LONG = Duration.ofSeconds(40);

	public final ManualTime time = new ManualTime();

	public final List<InMemoryNode> nodes = List.of(new InMemoryNode("a", this.time), new InMemoryNode("b", this.time),
			new InMemoryNode("c", this.time));

	public final Redlock redlock = redlock(1);

	/** Another process. */
	public final Redlock other = redlock(2);

	public LockRequest now(String... resources) {
		return LockRequest.of(resources).withWaitFor(Duration.ZERO);
	}

	public boolean isHeld(String resource) {
		return this.nodes.stream().anyMatch((node) -> node.tokens().containsKey("redlock:" + resource));
	}

	private Redlock redlock(long seed) {
		return Redlock.over(this.nodes)
			.settings(RedlockSettings.DEFAULTS)
			.ticker(this.time)
			.scheduler(this.time)
			.random(new SplittableRandom(seed))
			.callbacks(Runnable::run)
			.build();
	}

}
