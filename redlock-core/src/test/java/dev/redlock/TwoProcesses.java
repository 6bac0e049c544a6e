package dev.redlock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

import dev.redlock.memory.InMemoryNode;
import dev.redlock.memory.ManualTime;

import static dev.redlock.Completed.completed;

/**
 * Two processes that want locks on the same five nodes, and a time that stands still.
 */
abstract class TwoProcesses {

	static final LockRequest STOCK = LockRequest.of("stock").withWaitFor(Duration.ofSeconds(30));

	static final String KEY = "redlock:stock";

	final ManualTime time = new ManualTime();

	final List<InMemoryNode> servers = new ArrayList<>();

	final List<CountingNode> nodes = new ArrayList<>();

	final Redlock here;

	final Redlock there;

	TwoProcesses() {
		for (int i = 0; i < 5; i++) {
			InMemoryNode server = new InMemoryNode("n" + i, this.time);
			this.servers.add(server);
			this.nodes.add(new CountingNode(server));
		}
		this.here = process(1);
		this.there = process(2);
	}

	private Redlock process(long seed) {
		return Redlock.over(this.nodes)
			.settings(RedlockFixture.settings())
			.ticker(this.time)
			.loop(this.time)
			.random(new SplittableRandom(seed))
			.callbacks(Runnable::run)
			.build();
	}

	static CompletableFuture<LockAttempt> attempt(Redlock process) {
		return attempt(process, STOCK);
	}

	static CompletableFuture<LockAttempt> attempt(Redlock process, LockRequest request) {
		return process.attempt(request).toCompletableFuture();
	}

	static Lease acquire(Redlock process) {
		return acquire(process, STOCK);
	}

	static Lease acquire(Redlock process, LockRequest request) {
		return completed(attempt(process, request)).orThrow();
	}

	final int acquires() {
		return this.nodes.get(0).acquires.get();
	}

}
