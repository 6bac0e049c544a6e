package dev.redlock.memory;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import dev.redlock.spi.EventLoop;
import dev.redlock.spi.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * A clock and an event loop that only advance when a test moves them. Due tasks run on
 * the thread that moves the time, in the order of their times. An event that is posted
 * from outside runs at once on the posting thread, together with the events that it
 * causes.
 */
public final class ManualTime implements Ticker, EventLoop {

	private static final long SOME_DAY_MICROS = TimeUnit.DAYS.toMicros(20_000);

	private final ReentrantLock lock = new ReentrantLock();

	private final PriorityQueue<Task> tasks = new PriorityQueue<>(
			Comparator.<Task>comparingLong((task) -> task.atNanos).thenComparingLong((task) -> task.number));

	/**
	 * The mutex of the event loop, held by the thread that runs the events.
	 */
	private final ReentrantLock running = new ReentrantLock();

	private final Deque<Runnable> events = new ArrayDeque<>();

	private long nanos;

	private long wallOffsetMicros = SOME_DAY_MICROS;

	private long numbered;

	/**
	 * Creates a clock at an arbitrary day in the past.
	 */
	public ManualTime() {
	}

	@Override
	public long nanoTime() {
		return locked(() -> this.nanos);
	}

	@Override
	public long epochMicros() {
		return locked(() -> this.wallOffsetMicros + TimeUnit.NANOSECONDS.toMicros(this.nanos));
	}

	@Override
	public boolean inLoop() {
		return this.running.isHeldByCurrentThread();
	}

	@Override
	public void execute(Runnable event) {
		boolean outside = !inLoop();
		this.running.lock();
		try {
			this.events.add(event);
			if (outside) {
				handleEvents();
			}
		}
		finally {
			this.running.unlock();
		}
	}

	@Override
	public Timeout schedule(Duration delay, Runnable work) {
		return locked(() -> {
			Task task = new Task(this.nanos + Math.max(0, delay.toNanos()), this.numbered++, work);
			this.tasks.add(task);
			return () -> locked(() -> this.tasks.remove(task));
		});
	}

	/**
	 * Advances both clocks, and runs the tasks that become due.
	 */
	public void advance(Duration step) {
		this.running.lock();
		try {
			long target = nanoTime() + step.toNanos();
			for (Task task = nextDue(target); task != null; task = nextDue(target)) {
				task.work.run();
				handleEvents();
			}
		}
		finally {
			this.running.unlock();
		}
	}

	/**
	 * Makes the wall clock step, and leaves the monotonic clock unchanged.
	 * @param step the step of the wall clock, negative to go back
	 */
	public void stepWallClock(Duration step) {
		locked(() -> this.wallOffsetMicros += TimeUnit.NANOSECONDS.toMicros(step.toNanos()));
	}

	/**
	 * Returns the number of scheduled tasks.
	 */
	public int pending() {
		return locked(this.tasks::size);
	}

	private void handleEvents() {
		for (Runnable event = this.events.poll(); event != null; event = this.events.poll()) {
			event.run();
		}
	}

	private @Nullable Task nextDue(long targetNanos) {
		return locked(() -> {
			Task next = this.tasks.peek();
			if (next == null || next.atNanos > targetNanos) {
				this.nanos = targetNanos;
				return null;
			}
			this.nanos = Math.max(this.nanos, next.atNanos);
			return this.tasks.remove();
		});
	}

	private <T extends @Nullable Object> T locked(Supplier<T> work) {
		this.lock.lock();
		try {
			return work.get();
		}
		finally {
			this.lock.unlock();
		}
	}

	private record Task(long atNanos, long number, Runnable work) {

	}

}
