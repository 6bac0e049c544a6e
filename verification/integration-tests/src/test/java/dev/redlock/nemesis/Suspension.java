package dev.redlock.nemesis;

import java.time.Duration;

import org.awaitility.Awaitility;

/**
 * The time for which the machine of a client is suspended.
 */
final class Suspension {

	private static final Duration BOUND = Duration.ofSeconds(30);

	private final ClientProcess client;

	private final long startNanos;

	private Suspension(ClientProcess client, long startNanos) {
		this.client = client;
		this.startNanos = startNanos;
	}

	/**
	 * Stops the process.
	 */
	static Suspension begin(ClientProcess client) {
		client.freeze();
		return new Suspension(client, System.nanoTime());
	}

	Duration awaitPassed(Duration least) {
		Awaitility.await().atMost(BOUND).until(() -> passed().compareTo(least) >= 0);
		return least;
	}

	/**
	 * Lets the process go on. Its monotonic clock goes on from where it stood.
	 */
	void end(SteppedClock clock) {
		clock.hide(passed());
		this.client.thaw();
	}

	/**
	 * The same, as if the process ran on a virtual machine that was paused from outside:
	 * its wall clock goes on from where it stood, too.
	 */
	void endUnnoticed(SteppedClock clock) {
		clock.set(passed().negated());
		end(clock);
	}

	private Duration passed() {
		return Duration.ofNanos(System.nanoTime() - this.startNanos);
	}

}
