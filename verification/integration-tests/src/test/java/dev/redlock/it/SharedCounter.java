package dev.redlock.it;

import java.time.Duration;
import java.util.Objects;

import dev.redlock.test.RedisNode;

/**
 * A number on a Redis server that loses updates if two clients increment it at once.
 */
final class SharedCounter implements AutoCloseable {

	private static final String KEY = "counter";

	private final RedisNode server = RedisNode.start("counter");

	RedisNode server() {
		return this.server;
	}

	void reset() {
		write(0);
	}

	/**
	 * Reads the number, works for some time, and writes the next one.
	 */
	void increment(Duration work) {
		int value = value();
		long start = System.nanoTime();
		while (System.nanoTime() - start < work.toNanos()) {
			Thread.onSpinWait();
		}
		write(value + 1);
	}

	int value() {
		return Integer.parseInt((String) Objects.requireNonNull(this.server.command("GET", KEY)));
	}

	@Override
	public void close() {
		this.server.close();
	}

	private void write(int value) {
		this.server.command("SET", KEY, Integer.toString(value));
	}

}
