package dev.redlock.test.lateholder;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

import dev.redlock.RedlockSettings;
import dev.redlock.memory.ManualTime;
import dev.redlock.test.scripted.ScriptedNode;
import dev.redlock.test.scripted.ScriptedNodes;

import org.springframework.core.task.SimpleAsyncTaskExecutor;

/**
 * Nodes in memory, whose time moves only to let leases expire. The lock reports losses
 * through this object, which waits until they were reported.
 */
final class ServersInMemory implements Servers {

	/** The longest wait for a report of a loss that blocks. */
	private static final Duration LONGEST_REPORT = Duration.ofSeconds(1);

	/** The time for which a role is left to other processes after a term. */
	private static final Duration PASSING = Duration.ofSeconds(1);

	private final ScriptedNodes nodes;

	private final Duration longestLease;

	private final SimpleAsyncTaskExecutor threads = new SimpleAsyncTaskExecutor("late-holder-callback-");

	private final Queue<CompletableFuture<Void>> reports = new ConcurrentLinkedQueue<>();

	private volatile boolean expiring;

	ServersInMemory(ScriptedNodes nodes, RedlockSettings settings) {
		this.nodes = nodes;
		this.longestLease = settings.maxTtl().plus(settings.lockDelay()).plusSeconds(1);
		this.threads.setDaemon(true);
		// Fences follow the clock, and rows may have fences of earlier tests, so the
		// clock starts ahead of these fences.
		ManualTime time = nodes.time();
		time.stepWallClock(Duration.of(time.epochMicros(), ChronoUnit.MICROS)
			.negated()
			.plus(Duration.between(Instant.EPOCH, Instant.now())));
	}

	@Override
	public void expire() {
		this.expiring = true;
		this.nodes.asList().forEach(ScriptedNode::down);
		this.nodes.time().advance(this.longestLease);
		// Forgets marks of ticks, because the rival of a job is its next tick. Fences
		// still rise, because they follow the clock.
		this.nodes.asList().forEach(ScriptedNode::lose);
		this.nodes.heal();
		this.expiring = false;
		CompletableFuture.allOf(this.reports.toArray(CompletableFuture<?>[]::new))
			.completeOnTimeout(null, LONGEST_REPORT.toMillis(), TimeUnit.MILLISECONDS)
			.join();
		this.reports.clear();
	}

	@Override
	public void pass() {
		this.nodes.time().advance(PASSING);
	}

	/**
	 * Runs a report of a loss. This method is used instead of an executor bean, because
	 * Spring Boot would then not create its own executor.
	 */
	void report(Runnable task) {
		CompletableFuture<Void> report = CompletableFuture.runAsync(task, this.threads);
		if (this.expiring) {
			this.reports.add(report);
		}
	}

}
