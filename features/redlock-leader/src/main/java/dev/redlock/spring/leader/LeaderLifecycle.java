package dev.redlock.spring.leader;

import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import org.springframework.context.SmartLifecycle;

/**
 * Stands for election after all other beans have started, and hands roles over before
 * other beans stop.
 */
final class LeaderLifecycle implements SmartLifecycle {

	private final Runnable start;

	private final Supplier<CompletionStage<Void>> stop;

	private volatile boolean running;

	/**
	 * Creates a lifecycle.
	 * @param stop begins to hand roles over; completes within a bound
	 */
	LeaderLifecycle(Runnable start, Supplier<CompletionStage<Void>> stop) {
		this.start = start;
		this.stop = stop;
	}

	@Override
	public void start() {
		this.running = true;
		this.start.run();
	}

	@Override
	public void stop() {
		handOver().toCompletableFuture().join();
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
	 * Beans that do the leader's work keep running when the context is paused.
	 */
	@Override
	public boolean isPauseable() {
		return false;
	}

	private CompletionStage<Void> handOver() {
		this.running = false;
		return this.stop.get();
	}

}
