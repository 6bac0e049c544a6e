package dev.redlock.nemesis;

import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What a run does.
 *
 * @param driver the lock that is driven
 * @param length for how long there are faults
 * @param seed where all faults and all choices of the clients come from; what happens in
 * between is up to the machine
 * @param faults the kinds of faults
 * @param restartGuard whether servers that may have forgotten locks are kept from voting
 * @param mostForgetful how many servers may have lost their data within one quarantine
 * @param durable how many of the servers keep their data over a kill
 */
public record NemesisSettings(Class<? extends LockDriver> driver, Duration length, long seed, Set<Fault> faults,
		boolean restartGuard, int mostForgetful, int durable) {

	/**
	 * The number of servers.
	 */
	static final int SERVERS = 5;

	/**
	 * The number of client processes.
	 */
	static final int CLIENTS = 3;

	/**
	 * The number of threads of each client.
	 */
	static final int THREADS = 3;

	/**
	 * The number of names to lock.
	 */
	static final int NAMES = 4;

	/**
	 * All faults that the lock must stand, no more than a minority of servers forgetting
	 * at a time.
	 * @param driver the lock that is driven
	 * @param length for how long there are faults
	 * @param seed where all faults come from
	 * @param faults the kinds of faults
	 * @return the settings
	 */
	public static NemesisSettings of(Class<? extends LockDriver> driver, Duration length, long seed,
			Set<Fault> faults) {
		return new NemesisSettings(driver, length, seed, faults, true, SERVERS / 2, 2);
	}

	/**
	 * The same without the faults for which a shared object must be compiled.
	 */
	NemesisSettings withoutShim() {
		Set<Fault> others = this.faults.stream()
			.filter((fault) -> !fault.needsShim())
			.collect(Collectors.toUnmodifiableSet());
		return new NemesisSettings(this.driver, this.length, this.seed, others, this.restartGuard, this.mostForgetful,
				this.durable);
	}

	/**
	 * The same with another number of servers that keep their data.
	 */
	NemesisSettings withDurable(int servers) {
		return new NemesisSettings(this.driver, this.length, this.seed, this.faults, this.restartGuard,
				this.mostForgetful, servers);
	}

	LockTimes times() {
		return LockTimes.of(this.driver);
	}

	/**
	 * How many holders each name may have at a time.
	 */
	int permits() {
		return (this.driver == PermitsDriver.class) ? PermitsDriver.PERMITS : 1;
	}

	/**
	 * The names of the locks.
	 */
	static Set<String> names() {
		return IntStream.range(0, NAMES).mapToObj(Worker::lockName).collect(Collectors.toUnmodifiableSet());
	}

	/**
	 * The settings in one line for people.
	 */
	String summary() {
		return String.format(Locale.ROOT,
				"%s for %d s, seed %d; %d servers (%d keep their data), %d clients of %d threads, %d names",
				this.driver.getSimpleName(), this.length.toSeconds(), this.seed, SERVERS, this.durable, CLIENTS,
				THREADS, NAMES);
	}

	boolean needsShim() {
		return this.faults.stream().anyMatch(Fault::needsShim);
	}

	/**
	 * What the lock does not promise to stand: its guard off, and a majority of the
	 * servers restarted without their data.
	 * @return the settings
	 */
	public NemesisSettings beyondThePromise() {
		return new NemesisSettings(this.driver, this.length, this.seed, Set.of(Fault.RESTART_EMPTY), false,
				SERVERS / 2 + 1, 0);
	}

	/**
	 * Whether something must be found, or the suite is of no use.
	 * @return true where more is done than the lock promises to stand
	 */
	boolean isBeyondThePromise() {
		return this.mostForgetful > SERVERS / 2;
	}

}
