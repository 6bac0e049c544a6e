package dev.redlock.internal.vote;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Runs the tasks that report outcomes and lost leases to code of users. Code of users may
 * block all threads of the executor, so extra threads help when a task has waited for 50
 * ms, or when the executor rejects the task or fails. Reports of lost leases run before
 * all other tasks, and have one more extra thread. Thread-safe.
 */
public final class Callbacks implements Executor {

	private static final int MOST_EXTRA_THREADS = 64;

	private static final int IDLE_SECONDS = 10;

	/**
	 * The timer uses real time even in a simulation, because threads block in real time.
	 */
	private static final Executor CHECK_TIMER = CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS,
			Runnable::run);

	private final Executor executor;

	private final Executor extraThreads = threads(MOST_EXTRA_THREADS);

	private final Executor lossThread = threads(1);

	private final Queue<Runnable> losses = new ConcurrentLinkedQueue<>();

	private final Queue<Runnable> others = new ConcurrentLinkedQueue<>();

	private final AtomicLong submitted = new AtomicLong();

	private final AtomicLong begun = new AtomicLong();

	private final AtomicBoolean checkScheduled = new AtomicBoolean();

	public Callbacks(Executor executor) {
		this.executor = executor;
	}

	@Override
	public void execute(Runnable task) {
		submit(this.others, task);
	}

	public void executeFirst(Runnable task) {
		submit(this.losses, task);
	}

	private void submit(Queue<Runnable> queue, Runnable task) {
		queue.add(task);
		this.submitted.incrementAndGet();
		try {
			this.executor.execute(this::runNext);
		}
		catch (RuntimeException | OutOfMemoryError ex) {
			// The task must not run on the calling thread, which may be the event loop of
			// the lock.
			useExtraThreads();
		}
		scheduleCheck();
	}

	private void runNext() {
		Runnable next = poll();
		if (next != null) {
			next.run();
		}
	}

	private void scheduleCheck() {
		if (isWaiting() && this.checkScheduled.compareAndSet(false, true)) {
			long due = this.submitted.get();
			CHECK_TIMER.execute(() -> {
				this.checkScheduled.set(false);
				if (this.begun.get() < due) {
					useExtraThreads();
				}
				scheduleCheck();
			});
		}
	}

	private void useExtraThreads() {
		try {
			if (!this.losses.isEmpty()) {
				this.lossThread.execute(() -> runAll(() -> poll(this.losses)));
			}
			if (isWaiting()) {
				this.extraThreads.execute(() -> runAll(this::poll));
			}
		}
		catch (OutOfMemoryError ex) {
			// The system has no thread to give now, and the next check asks again.
		}
	}

	private void runAll(Supplier<@Nullable Runnable> tasks) {
		for (Runnable next = tasks.get(); next != null; next = tasks.get()) {
			// Another thread begins the task behind this one, because this one may block.
			useExtraThreads();
			next.run();
		}
	}

	private boolean isWaiting() {
		return !this.losses.isEmpty() || !this.others.isEmpty();
	}

	private @Nullable Runnable poll() {
		Runnable loss = poll(this.losses);
		return (loss != null) ? loss : poll(this.others);
	}

	private @Nullable Runnable poll(Queue<Runnable> tasks) {
		Runnable next = tasks.poll();
		if (next != null) {
			this.begun.incrementAndGet();
		}
		return next;
	}

	private static Executor threads(int most) {
		// With no queue, a pool whose threads are all busy discards a request for help.
		// The tasks stay in the queues of this class, which the next check looks at.
		return new ThreadPoolExecutor(0, most, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), (task) -> {
			Thread thread = new Thread(task, "redlock-callback-extra");
			thread.setDaemon(true);
			// The calling thread may belong to the JDK and may have no access to the
			// classes of the application.
			thread.setContextClassLoader(Callbacks.class.getClassLoader());
			return thread;
		}, new ThreadPoolExecutor.DiscardPolicy());
	}

}
