package dev.redlock;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

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

	public final Redlock redlock;

	/** Another process. */
	public final Redlock other;

	public LockWorld() {
		this(RedlockSettings.DEFAULTS);
	}

	public LockWorld(RedlockSettings settings) {
		this.redlock = redlock(1, settings);
		this.other = redlock(2, settings);
	}

	/** Another process that tells what happens. */
	public Redlock listened(RedlockListener listener) {
		return redlock(3, RedlockSettings.DEFAULTS, listener);
	}

	/** The defaults, and release is awaited. */
	public static RedlockSettings awaitingRelease() {
		return settings(false, true);
	}

	/** The defaults, and leases are renewed. */
	public static RedlockSettings renewing() {
		return settings(true, false);
	}

	/** The time of the nodes. */
	public Clock clock() {
		InstantSource source = () -> Instant.EPOCH.plus(this.time.epochMicros(), ChronoUnit.MICROS);
		return source.withZone(ZoneOffset.UTC);
	}

	public LockRequest now(String... resources) {
		return LockRequest.of(resources).withWaitFor(Duration.ZERO);
	}

	public boolean isHeld(String resource) {
		return this.nodes.stream().anyMatch((node) -> node.tokens().containsKey("redlock:" + resource));
	}

	/** The token under which a resource is held. */
	public String tokenOf(String resource) {
		return this.nodes.stream()
			.flatMap((node) -> Stream.ofNullable(node.tokens().get("redlock:" + resource)))
			.findFirst()
			.orElseThrow();
	}

	private static RedlockSettings settings(boolean renew, boolean awaitRelease) {
		return RedlockSettings.builder().renew(renew).awaitRelease(awaitRelease).build();
	}

	private Redlock redlock(long seed, RedlockSettings settings) {
		return redlock(seed, settings, new RedlockListener() {
		});
	}

	private Redlock redlock(long seed, RedlockSettings settings, RedlockListener listener) {
		return Redlock.over(this.nodes)
			.settings(settings)
			.ticker(this.time)
			.loop(this.time)
			.random(new SplittableRandom(seed))
			.callbacks(Runnable::run)
			.listener(listener)
			.build();
	}

}
