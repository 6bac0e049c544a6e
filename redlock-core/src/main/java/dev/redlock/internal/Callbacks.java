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
 * Runs the tasks that report outcomes and losses, on the executor for callbacks. Actions
 * that users attach to stages run in these tasks, and may block all threads of the
 * executor. A task that has waited for 50 ms therefore gets a thread of its own. Reports
 * of losses get threads first. A task also gets its own thread if the executor is full,
 * was shut down, throws or cannot start a thread. Every outcome and every loss is
 * reported in this way. This class is thread-safe.
 */
final class Callbacks implements Executor {

	private static final int THREADS_AT_ONCE = 16;

	/**
	 * Beyond this number of extra threads, only reports of losses get a thread of their
	 * own.
	 */
	private static final int MOST_THREADS = 1_000;

	/**
	 * This timer uses the clock of the JDK, because threads are blocked in real time.
	 */
	private static final Executor SOON = CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS, Runnable::run);

	private final Executor executor;

	private final Queue<Runnable> losses = new ConcurrentLinkedQueue<>();

	private final Queue<Runnable> others = new ConcurrentLinkedQueue<>();

	private final AtomicBoolean watched = new AtomicBoolean();

	private final AtomicInteger threads = new AtomicInteger();

	/** Whether tasks were found waiting and the executor has run no task since. */
	private volatile boolean stuck;

	Callbacks(Executor executor) {
		this.executor = executor;
	}

	@Override
	public void execute(Runnable task) {
		submit(this.others, task);
	}

	/**
	 * Runs a task that reports a loss, before all tasks that do not report a loss.
	 */
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
			// The task must not run on this thread, which may serve the nodes.
			startThread(THREADS_AT_ONCE);
		}
		watch();
	}

	private void runNext() {
		this.stuck = false;
		Runnable next = poll();
		if (next != null) {
			next.run();
		}
	}

	/**
	 * Checks after a short time whether the first task still waits. If no task waits now,
	 * no check is scheduled.
	 */
	private void watch() {
		Runnable first = peek();
		if (first != null && this.watched.compareAndSet(false, true)) {
			SOON.execute(() -> checkFirst(first));
		}
	}

	private void checkFirst(Runnable first) {
		this.watched.set(false);
		if (peek() == first) {
			this.stuck = true;
			long waiting = this.losses.stream().limit(THREADS_AT_ONCE).count()
					+ this.others.stream().limit(THREADS_AT_ONCE).count();
			for (long i = 0; i < waiting; i++) {
				startThread(MOST_THREADS);
			}
		}
		watch();
	}

	private void startThread(int most) {
		if (this.threads.incrementAndGet() > most && this.losses.isEmpty()) {
			this.threads.decrementAndGet();
			return;
		}
		Thread thread = new Thread(this::runAll, "redlock-callback-extra");
		thread.setDaemon(true);
		// The thread that starts this one may belong to the JDK, without access to the
		// classes of the application.
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
