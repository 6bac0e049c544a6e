package dev.redlock.benchmarks.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

import dev.redlock.benchmarks.contender.Contender;

/**
 * Threads that take and release locks for a fixed time, one after another and without a
 * pause.
 *
 * @param key the name of the lock
 * @param shared whether all threads want the same lock; else each has one of its own
 * @param threads how many threads
 * @param millis for how long a new lock is asked for
 */
public record Load(String key, boolean shared, int threads, long millis) {

	private static final long LONGEST_OVERTIME_MILLIS = TimeUnit.MINUTES.toMillis(2);

	/**
	 * Runs one round.
	 * @param contender the lock
	 * @param work what is done under it
	 * @param startAtMillis when to start, by the clock of the machine, which all its
	 * processes share
	 * @return what the threads did
	 */
	public Tally run(Contender contender, Runnable work, long startAtMillis) {
		ExecutorService executor = Executors.newFixedThreadPool(this.threads);
		try {
			long startNanos = System.nanoTime()
					+ TimeUnit.MILLISECONDS.toNanos(startAtMillis - System.currentTimeMillis());
			List<Future<Tally>> running = new ArrayList<>();
			for (int i = 0; i < this.threads; i++) {
				String name = this.shared ? this.key : this.key + "-" + i;
				LoadThread thread = new LoadThread(contender, name, work, startNanos, this.millis);
				running.add(executor.submit(thread));
			}
			return Tally.sum(running.stream().map(this::await).toList());
		}
		finally {
			executor.shutdownNow();
		}
	}

	/**
	 * Runs one round that starts now.
	 * @param contender the lock
	 * @param work what is done under it
	 * @return what the threads did
	 */
	public Tally run(Contender contender, Runnable work) {
		return run(contender, work, System.currentTimeMillis() + 5);
	}

	/**
	 * The same for another time.
	 * @param millis for how long a new lock is asked for
	 * @return the load
	 */
	public Load lasting(long millis) {
		return new Load(this.key, this.shared, this.threads, millis);
	}

	static void sleepUntil(long nanos) {
		for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
			LockSupport.parkNanos(left);
		}
	}

	private Tally await(Future<Tally> running) {
		try {
			return running.get(this.millis + LONGEST_OVERTIME_MILLIS, TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("The round was interrupted", ex);
		}
		catch (ExecutionException | TimeoutException ex) {
			throw new IllegalStateException("A round over " + this.key + " did not end", ex);
		}
	}

}
