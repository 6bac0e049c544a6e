package dev.redlock.spring.autoconfigure;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.redlock.Redlock;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;

/**
 * Opens the {@link Redlock} beans of an application context when the context starts, and
 * closes the beans when the context is stopped to be started again. The Redlock beans
 * open after Redis connection factories (phase 0) and before the web server. When the
 * context is closed or fails to start, the Redlock beans stay open for the beans that use
 * them, and close by their destroy methods.
 */
final class RedlockLifecycle implements SmartLifecycle {

	static final int PHASE = 1024;

	private final ConfigurableApplicationContext context;

	private volatile Collection<Redlock> openLocks = List.of();

	RedlockLifecycle(ConfigurableApplicationContext context) {
		this.context = context;
	}

	@Override
	public void start() {
		Collection<Redlock> locks = this.context.getBeansOfType(Redlock.class, false, true).values();
		locks.forEach(Redlock::open);
		this.openLocks = locks;
	}

	@Override
	public void stop() {
		stop(() -> {
		});
	}

	/**
	 * Lets work under locks end without blocking this thread, because Spring limits how
	 * long a phase may take. The connections close after that work even if Spring no
	 * longer waits.
	 */
	@Override
	public void stop(Runnable callback) {
		Collection<Redlock> locks = this.openLocks;
		this.openLocks = List.of();
		// Spring also stops a context that fails to start, and then destroys the beans.
		if (this.context.isClosed() || !this.context.isRunning()) {
			callback.run();
			return;
		}
		CompletableFuture
			.allOf(locks.stream()
				.map((lock) -> lock.closeAsync().toCompletableFuture())
				.toArray(CompletableFuture<?>[]::new))
			.whenComplete((closed, failure) -> callback.run());
	}

	@Override
	public boolean isRunning() {
		return !this.openLocks.isEmpty();
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

	/**
	 * Locks stay open while the application context is paused, because the web server
	 * keeps running and needs locks.
	 */
	@Override
	public boolean isPauseable() {
		return false;
	}

}
