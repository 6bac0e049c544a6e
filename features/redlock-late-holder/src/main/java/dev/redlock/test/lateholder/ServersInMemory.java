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
 * Nodes in memory, whose time moves only when leases have to expire. The lock reports
 * losses through it, so that it knows when they were reported.
 */
final class ServersInMemory implements Servers {

	/** A report of a loss that blocks for longer does not hold up the test. */
	private static final Duration LONGEST_REPORT = Duration.ofSeconds(1);

	private final ScriptedNodes nodes;

	private final Duration longestLease;

	private final SimpleAsyncTaskExecutor threads = new SimpleAsyncTaskExecutor("late-holder-callback-");

	private final Queue<CompletableFuture<Void>> reports = new ConcurrentLinkedQueue<>();

	private volatile boolean expiring;

	ServersInMemory(ScriptedNodes nodes, RedlockSettings settings) {
		this.nodes = nodes;
		this.longestLease = settings.maxTtl().plus(settings.lockDelay()).plusSeconds(1);
		this.threads.setDaemon(true);
		// Fences follow the clock. Rows may have fences of other tests that ran before.
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
		// The rival of a job is its next tick. Fences stay ahead, because they follow the
		// clock.
		this.nodes.asList().forEach(ScriptedNode::lose);
		this.nodes.heal();
		this.expiring = false;
		CompletableFuture.allOf(this.reports.toArray(CompletableFuture<?>[]::new))
			.completeOnTimeout(null, LONGEST_REPORT.toMillis(), TimeUnit.MILLISECONDS)
			.join();
		this.reports.clear();
	}

	/**
	 * Runs a report. This is no executor bean, because Spring Boot would not configure
	 * one then.
	 */
	void report(Runnable task) {
		CompletableFuture<Void> report = CompletableFuture.runAsync(task, this.threads);
		if (this.expiring) {
			this.reports.add(report);
		}
	}

}
