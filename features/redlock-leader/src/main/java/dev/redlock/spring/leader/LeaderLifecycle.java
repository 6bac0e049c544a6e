package dev.redlock.spring.leader;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.springframework.context.SmartLifecycle;

/**
 * Makes this instance a candidate when all else has started, and hands its roles over
 * before anything else stops.
 */
final class LeaderLifecycle implements SmartLifecycle {

	private final LeaderTemplate leaders;

	private volatile boolean running;

	LeaderLifecycle(LeaderTemplate leaders) {
		this.leaders = leaders;
	}

	@Override
	public void start() {
		this.running = true;
		this.leaders.start();
	}

	@Override
	public void stop() {
		handOver().join();
	}

	@Override
	public void stop(Runnable callback) {
		handOver().thenRun(callback);
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	/**
	 * The beans that do the work of the leader go on during a pause.
	 */
	@Override
	public boolean isPauseable() {
		return false;
	}

	/**
	 * Waits a little longer than for calls that run, which lose the lease then.
	 */
	private CompletableFuture<Void> handOver() {
		this.running = false;
		Duration longest = this.leaders.redlock().settings().shutdownTimeout().plusSeconds(1);
		return this.leaders.stop()
			.completeOnTimeout(null, longest.toNanos(), TimeUnit.NANOSECONDS)
			.handle((done, failure) -> null);
	}

}
