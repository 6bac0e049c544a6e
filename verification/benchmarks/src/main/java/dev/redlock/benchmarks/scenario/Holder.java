package dev.redlock.benchmarks.scenario;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.redlock.benchmarks.contender.Contender;

/**
 * Holds a lock until it is told to let go.
 */
final class Holder {

	private static final long LONGEST_SECONDS = 120;

	private final CountDownLatch acquired = new CountDownLatch(1);

	private final CountDownLatch released = new CountDownLatch(1);

	private Holder() {
	}

	/**
	 * Starts to hold a lock.
	 */
	static Holder of(Contender contender, String name) {
		Holder holder = new Holder();
		Thread thread = new Thread(() -> contender.withLock(name, holder::hold), "holder");
		thread.setDaemon(true);
		thread.start();
		if (!await(holder.acquired)) {
			throw new IllegalStateException("The holder did not get " + name);
		}
		return holder;
	}

	/**
	 * Lets go.
	 * @return when it did
	 */
	long release() {
		long now = System.currentTimeMillis();
		this.released.countDown();
		return now;
	}

	private void hold() {
		this.acquired.countDown();
		await(this.released);
	}

	private static boolean await(CountDownLatch latch) {
		try {
			return latch.await(LONGEST_SECONDS, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

}
