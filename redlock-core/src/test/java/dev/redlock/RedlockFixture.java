package dev.redlock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

import dev.redlock.memory.InMemoryNode;
import dev.redlock.memory.ManualTime;
import dev.redlock.spi.LockNode;

import static dev.redlock.Completed.completed;

/**
 * A lock over in-memory nodes and time that stands still.
 */
final class RedlockFixture {

	final ManualTime time = new ManualTime();

	final List<InMemoryNode> nodes = new ArrayList<>();

	final List<String> losses = new ArrayList<>();

	final Redlock redlock;

	RedlockFixture(int nodeCount) {
		this(nodeCount, settings());
	}

	RedlockFixture(int nodeCount, RedlockSettings settings) {
		for (int i = 0; i < nodeCount; i++) {
			this.nodes.add(new InMemoryNode(String.valueOf((char) ('a' + i)), this.time));
		}
		this.redlock = another(settings, 1);
	}

	/**
	 * Another process over the same nodes.
	 */
	Redlock another(RedlockSettings settings, long seed) {
		return another(settings, seed, new RedlockListener() {
			@Override
			public void leaseLost(Lease lease, LossReason reason) {
				RedlockFixture.this.losses.add(lease.resources() + " " + reason);
			}
		});
	}

	/**
	 * Another process over the same nodes, and who listens to it.
	 */
	Redlock another(RedlockSettings settings, long seed, RedlockListener listener) {
		return over(this.nodes, settings, seed).listener(listener).build();
	}

	/**
	 * Another process over other nodes.
	 */
	Redlock.Builder over(List<? extends LockNode> others, RedlockSettings settings, long seed) {
		return Redlock.over(others)
			.settings(settings)
			.ticker(this.time)
			.loop(this.time)
			.random(new SplittableRandom(seed))
			.callbacks(Runnable::run);
	}

	CompletableFuture<LockAttempt> attempt(LockRequest request) {
		return this.redlock.attempt(request).toCompletableFuture();
	}

	Lease acquire(String resource) {
		return acquire(LockRequest.of(resource));
	}

	Lease acquire(LockRequest request) {
		return completed(attempt(request)).orThrow();
	}

	/** On how many nodes the resource is held. */
	long heldOn(String resource) {
		return this.nodes.stream().filter((node) -> node.tokens().containsKey("redlock:" + resource)).count();
	}

	/**
	 * Closing waits for nothing, because time stands still meanwhile.
	 */
	static RedlockSettings settings() {
		return RedlockSettings.builder()
			.owner("tests")
			.ttl(Duration.ofSeconds(10))
			.shutdownTimeout(Duration.ZERO)
			.build();
	}

	static RedlockSettings renewing(Duration maxHold, int maxRenewals) {
		return settings().toBuilder().renew(true).maxHold(maxHold).maxRenewals(maxRenewals).build();
	}

}
