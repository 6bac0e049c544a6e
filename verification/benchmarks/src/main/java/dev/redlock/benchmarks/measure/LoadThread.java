package dev.redlock.benchmarks.measure;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

import dev.redlock.benchmarks.contender.Contender;

/**
 * One thread of a load.
 */
final class LoadThread implements Callable<Tally> {

	private final Contender contender;

	private final String name;

	private final Runnable work;

	private final long startNanos;

	private final long lengthNanos;

	private final Waits waits = new Waits();

	private long askedNanos;

	private long locks;

	private long failures;

	private String complaint = "";

	LoadThread(Contender contender, String name, Runnable work, long startNanos, long millis) {
		this.contender = contender;
		this.name = name;
		this.work = work;
		this.startNanos = startNanos;
		this.lengthNanos = TimeUnit.MILLISECONDS.toNanos(millis);
	}

	@Override
	public Tally call() {
		Load.sleepUntil(this.startNanos);
		this.askedNanos = System.nanoTime();
		while (this.askedNanos - this.startNanos < this.lengthNanos) {
			lockOnce();
			this.askedNanos = System.nanoTime();
		}
		return new Tally(List.of(this.locks), this.failures, this.askedNanos - this.startNanos, this.waits,
				this.complaint);
	}

	private void lockOnce() {
		try {
			if (!this.contender.withLock(this.name, this::underLock)) {
				this.failures++;
			}
		}
		catch (RuntimeException ex) {
			// Whatever a library throws is part of its result, and does not end the run.
			this.failures++;
			this.complaint = this.complaint.isEmpty() ? ex.toString() : this.complaint;
		}
	}

	private void underLock() {
		this.waits.record(System.nanoTime() - this.askedNanos);
		this.locks++;
		this.work.run();
	}

}
