package dev.redlock.spring.redis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import dev.redlock.spi.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * Timers in buckets of a few milliseconds each. To set a timer and to cancel it takes the
 * same short time however many there are, and a cancelled one is gone at once.
 * <p>
 * Short delays are exact. Longer ones end up to {@link #EARLIEST_NANOS} early and not
 * late: what waits for the end of a lease must not miss it, and looks again when it comes
 * too soon.
 * <p>
 * Timers are set and cancelled by any thread, but one thread alone asks what is due.
 * Times are nanoseconds since an origin of the caller's, never negative.
 */
final class TimerWheel {

	/**
	 * The answer where there is no timer.
	 */
	static final long NEVER = Long.MAX_VALUE;

	static final long EXACT_BELOW_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

	private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(4);

	/**
	 * The time that a thread may need to wake up.
	 */
	private static final long WAKING_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

	static final long EARLIEST_NANOS = TICK_NANOS + WAKING_NANOS;

	/**
	 * A power of two. Timers that are more than a turn away share the buckets with nearer
	 * ones.
	 */
	private static final int BUCKETS = 1024;

	private final Bucket[] buckets = new Bucket[BUCKETS];

	/**
	 * The tick until which timers were looked for. No timer is put behind it.
	 */
	private volatile long reached;

	TimerWheel() {
		for (int i = 0; i < BUCKETS; i++) {
			this.buckets[i] = new Bucket();
		}
	}

	/**
	 * Sets a timer.
	 * @param now the time
	 * @param delayNanos when it is due, from now
	 * @param task what is to be done then
	 */
	Timer set(long now, long delayNanos, Runnable task) {
		long due = now + Math.min(Math.max(0, delayNanos), NEVER / 2);
		Timer timer = new Timer((delayNanos < EXACT_BELOW_NANOS) ? due : tick(due - WAKING_NANOS) * TICK_NANOS, task);
		boolean added;
		do {
			long tick = Math.max(tick(timer.atNanos), this.reached);
			added = bucket(tick).add(timer, tick);
		}
		while (!added);
		return timer;
	}

	/**
	 * Takes out the timers that are due, in the order of their time.
	 */
	List<Timer> takeDue(long now) {
		List<Timer> due = new ArrayList<>();
		long from = this.reached;
		long to = Math.max(from, tick(now));
		// First of all: whoever sees an older value has put a timer where it is found
		// now.
		this.reached = to;
		for (long tick = from; tick <= to && tick < from + BUCKETS; tick++) {
			bucket(tick).takeDue(now, due);
		}
		if (due.size() > 1) {
			due.sort(Comparator.comparingLong((timer) -> timer.atNanos));
		}
		return due;
	}

	/**
	 * When the next timer is due, or {@link #NEVER}.
	 */
	long next() {
		long next = NEVER;
		long from = this.reached;
		for (long tick = from; tick < from + BUCKETS; tick++) {
			next = Math.min(next, bucket(tick).earliest());
			if (next < (tick + 1) * TICK_NANOS) {
				// Whatever is in the buckets behind this one is due later.
				return next;
			}
		}
		return next;
	}

	/**
	 * How many timers are set.
	 */
	int size() {
		int size = 0;
		for (Bucket bucket : this.buckets) {
			size += bucket.size();
		}
		return size;
	}

	private Bucket bucket(long tick) {
		return this.buckets[(int) (tick & (BUCKETS - 1))];
	}

	private static long tick(long nanos) {
		return nanos / TICK_NANOS;
	}

	/**
	 * The timers of one tick, and of those that are whole turns later.
	 */
	private final class Bucket {

		private final ReentrantLock lock = new ReentrantLock();

		/** Also read without the lock, to pass over empty buckets. */
		private volatile @Nullable Timer first;

		private @Nullable Timer last;

		boolean add(Timer timer, long tick) {
			this.lock.lock();
			try {
				if (tick < TimerWheel.this.reached) {
					return false;
				}
				timer.bucket = this;
				Timer before = this.last;
				timer.before = before;
				if (before != null) {
					before.after = timer;
				}
				else {
					this.first = timer;
				}
				this.last = timer;
				return true;
			}
			finally {
				this.lock.unlock();
			}
		}

		void remove(Timer timer) {
			this.lock.lock();
			try {
				if (timer.bucket != null) {
					unlink(timer);
				}
			}
			finally {
				this.lock.unlock();
			}
		}

		/**
		 * With the lock even where it seems to be empty: somebody may hold it who has
		 * seen that this tick was not reached yet, and is about to add a timer.
		 */
		void takeDue(long now, List<Timer> due) {
			this.lock.lock();
			try {
				Timer timer = this.first;
				while (timer != null) {
					Timer after = timer.after;
					if (timer.atNanos <= now) {
						unlink(timer);
						due.add(timer);
					}
					timer = after;
				}
			}
			finally {
				this.lock.unlock();
			}
		}

		long earliest() {
			long earliest = NEVER;
			if (this.first == null) {
				return earliest;
			}
			this.lock.lock();
			try {
				for (Timer timer = this.first; timer != null; timer = timer.after) {
					earliest = Math.min(earliest, timer.atNanos);
				}
				return earliest;
			}
			finally {
				this.lock.unlock();
			}
		}

		int size() {
			this.lock.lock();
			try {
				int size = 0;
				for (Timer timer = this.first; timer != null; timer = timer.after) {
					size++;
				}
				return size;
			}
			finally {
				this.lock.unlock();
			}
		}

		private void unlink(Timer timer) {
			Timer before = timer.before;
			Timer after = timer.after;
			if (before != null) {
				before.after = after;
			}
			else {
				this.first = after;
			}
			if (after != null) {
				after.before = before;
			}
			else {
				this.last = before;
			}
			timer.bucket = null;
			timer.before = null;
			timer.after = null;
		}

	}

	/**
	 * A timer that is set, or was.
	 */
	static final class Timer implements Scheduler.Timeout {

		private final long atNanos;

		private volatile @Nullable Runnable task;

		/** Where it is; changes under the lock of the bucket only. */
		private volatile @Nullable Bucket bucket;

		private @Nullable Timer before;

		private @Nullable Timer after;

		Timer(long atNanos, Runnable task) {
			this.atNanos = atNanos;
			this.task = task;
		}

		long atNanos() {
			return this.atNanos;
		}

		/**
		 * What is to be done, unless the timer was cancelled after it was taken out.
		 */
		@Nullable Runnable task() {
			return this.task;
		}

		@Override
		public void cancel() {
			this.task = null;
			Bucket current = this.bucket;
			if (current != null) {
				current.remove(this);
			}
		}

	}

}
