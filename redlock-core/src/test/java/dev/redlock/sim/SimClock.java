package dev.redlock.sim;

import java.util.concurrent.TimeUnit;

import dev.redlock.spi.Ticker;

/**
 * A clock that runs at its own rate, is off by something, steps and stands still.
 */
final class SimClock implements Ticker {

	private static final long EPOCH_MICROS = TimeUnit.DAYS.toMicros(20_000);

	private final World world;

	private final double rate;

	private long wallOffsetMicros;

	private long steppedToMicros;

	private long suspendedNanos;

	private long suspendedSince = -1;

	private long wallStoodNanos;

	private boolean wallStands;

	SimClock(World world, double rate, long wallOffsetMicros) {
		this.world = world;
		this.rate = rate;
		this.wallOffsetMicros = EPOCH_MICROS + wallOffsetMicros;
	}

	@Override
	public long nanoTime() {
		long awake = this.world.nowNanos() - this.suspendedNanos - suspensionNanos();
		return (long) (awake * this.rate);
	}

	@Override
	public long epochMicros() {
		long counted = this.world.nowNanos() - this.wallStoodNanos - (this.wallStands ? suspensionNanos() : 0);
		return this.wallOffsetMicros + (long) (counted * this.rate / 1_000);
	}

	/**
	 * How long a span on this clock takes in the world.
	 */
	long toWorldNanos(long nanos) {
		return (long) Math.ceil(nanos / this.rate);
	}

	void step(long micros) {
		this.wallOffsetMicros += micros;
	}

	/**
	 * Steps so that all steps together come to this.
	 */
	void stepTo(long micros) {
		step(micros - this.steppedToMicros);
		this.steppedToMicros = micros;
	}

	/**
	 * Makes the monotonic clock stand still.
	 * @param wallToo whether the wall clock stands still, too
	 */
	void suspend(boolean wallToo) {
		this.suspendedSince = this.world.nowNanos();
		this.wallStands = wallToo;
	}

	boolean isSuspended() {
		return this.suspendedSince >= 0;
	}

	void resume() {
		this.suspendedNanos += suspensionNanos();
		this.wallStoodNanos += this.wallStands ? suspensionNanos() : 0;
		this.suspendedSince = -1;
	}

	private long suspensionNanos() {
		return (this.suspendedSince >= 0) ? this.world.nowNanos() - this.suspendedSince : 0;
	}

}
