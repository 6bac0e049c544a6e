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
 * Servers in memory, whose clock the test moves to let leases expire.
 */
final class ServersInMemory implements Servers {

	/**
	 * How long the test waits for the listeners of lost locks, because a listener may
	 * block.
	 */
	private static final Duration LONGEST_REPORT = Duration.ofSeconds(1);

	/**
	 * How long a process waits after it has led a role, before it asks for the role
	 * again.
	 */
	private static final Duration PAUSE_AFTER_LEADING = Duration.ofSeconds(1);

	private final ScriptedNodes nodes;

	private final Duration longestLease;

	private final SimpleAsyncTaskExecutor threads = new SimpleAsyncTaskExecutor("late-holder-callback-");

	private final Queue<CompletableFuture<Void>> reports = new ConcurrentLinkedQueue<>();

	private volatile boolean expiring;

	ServersInMemory(ScriptedNodes nodes, RedlockSettings settings) {
		this.nodes = nodes;
		this.longestLease = settings.maxTtl().plus(settings.lockDelay()).plusSeconds(1);
		this.threads.setDaemon(true);
		// The servers' clock starts at the current time, so that new fences exceed the
		// fences of earlier tests.
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
		// The servers lose the records of job runs, so that the rival call may run the
		// job again.
		this.nodes.asList().forEach(ScriptedNode::lose);
		this.nodes.heal();
		this.expiring = false;
		CompletableFuture.allOf(this.reports.toArray(CompletableFuture<?>[]::new))
			.completeOnTimeout(null, LONGEST_REPORT.toMillis(), TimeUnit.MILLISECONDS)
			.join();
		this.reports.clear();
	}

	@Override
	public void advanceClock() {
		this.nodes.time().advance(PAUSE_AFTER_LEADING);
	}

	/**
	 * Runs a listener for a lost lock without an executor bean, because such a bean would
	 * replace Spring Boot's executor.
	 */
	void report(Runnable task) {
		CompletableFuture<Void> report = CompletableFuture.runAsync(task, this.threads);
		if (this.expiring) {
			this.reports.add(report);
		}
	}

}
