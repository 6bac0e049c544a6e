package dev.redlock.internal;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

/**
 * Runs the tasks that report outcomes and lost leases to code of users. Code of users may
 * block all threads of the executor, so a task that has waited for 50 ms gets a new
 * thread. A task also gets a new thread if the executor rejects the task or fails.
 * Reports of lost leases run before all other tasks. Thread-safe.
 */
final class Callbacks implements Executor {

	private static final int THREADS_AT_ONCE = 16;

	/**
	 * The limit for extra threads, except for threads that report a lost lease.
	 */
	private static final int MOST_THREADS = 1_000;

	/**
	 * The timer uses real time even in a simulation, because threads block in real time.
	 */
	private static final Executor CHECK_TIMER = CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS,
			Runnable::run);

	private final Executor executor;

	private final Queue<Runnable> losses = new ConcurrentLinkedQueue<>();

	private final Queue<Runnable> others = new ConcurrentLinkedQueue<>();

	private final AtomicBoolean checkScheduled = new AtomicBoolean();

	private final AtomicInteger threads = new AtomicInteger();

	private volatile boolean stuck;

	Callbacks(Executor executor) {
		this.executor = executor;
	}

	@Override
	public void execute(Runnable task) {
		submit(this.others, task);
	}

	void executeFirst(Runnable task) {
		submit(this.losses, task);
	}

	private void submit(Queue<Runnable> queue, Runnable task) {
		queue.add(task);
		try {
			this.executor.execute(this::runNext);
			if (this.stuck) {
				startThread(MOST_THREADS);
			}
		}
		catch (RuntimeException | OutOfMemoryError ex) {
			// The task must not run on the calling thread, which may be the event loop of
			// the lock.
			startThread(THREADS_AT_ONCE);
		}
		scheduleCheck();
	}

	private void runNext() {
		this.stuck = false;
		Runnable next = poll();
		if (next != null) {
			next.run();
		}
	}

	private void scheduleCheck() {
		Runnable first = peek();
		if (first != null && this.checkScheduled.compareAndSet(false, true)) {
			CHECK_TIMER.execute(() -> checkFirst(first));
		}
	}

	private void checkFirst(Runnable first) {
		this.checkScheduled.set(false);
		if (peek() == first) {
			this.stuck = true;
			long waiting = this.losses.stream().limit(THREADS_AT_ONCE).count()
					+ this.others.stream().limit(THREADS_AT_ONCE).count();
			for (long i = 0; i < waiting; i++) {
				startThread(MOST_THREADS);
			}
		}
		scheduleCheck();
	}

	private void startThread(int most) {
		if (this.threads.incrementAndGet() > most && this.losses.isEmpty()) {
			this.threads.decrementAndGet();
			return;
		}
		Thread thread = new Thread(this::runAll, "redlock-callback-extra");
		thread.setDaemon(true);
		// The calling thread may belong to the JDK and may have no access to the classes
		// of the application.
		thread.setContextClassLoader(Callbacks.class.getClassLoader());
		try {
			thread.start();
		}
		catch (OutOfMemoryError ex) {
			CompletableFuture.runAsync(this::runAll);
		}
	}

	private void runAll() {
		try {
			for (Runnable next = poll(); next != null; next = poll()) {
				next.run();
			}
		}
		finally {
			this.threads.decrementAndGet();
		}
	}

	private @Nullable Runnable peek() {
		Runnable loss = this.losses.peek();
		return (loss != null) ? loss : this.others.peek();
	}

	private @Nullable Runnable poll() {
		Runnable loss = this.losses.poll();
		return (loss != null) ? loss : this.others.poll();
	}

}
