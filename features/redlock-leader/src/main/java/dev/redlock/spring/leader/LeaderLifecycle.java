package dev.redlock.spring.leader;

import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import org.springframework.context.SmartLifecycle;

/**
 * Makes this process a candidate for its roles after all other beans have started, and
 * gives the roles up before other beans stop.
 */
final class LeaderLifecycle implements SmartLifecycle {

	private final Runnable start;

	private final Supplier<CompletionStage<Void>> stop;

	private volatile boolean running;

	/**
	 * @param stop begins to give up the roles, and returns a stage that completes even if
	 * running calls take too long
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
	 * The process keeps its roles when the context is paused, because the beans that call
	 * the leader's methods keep running.
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
