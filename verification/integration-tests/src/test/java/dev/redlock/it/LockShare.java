package dev.redlock.it;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What one of several clients had of a lock that all of them wanted all the time.
 *
 * @param client the name of the client
 * @param locks how often it had the lock
 * @param longestWait the longest time from its request to the lock
 */
record LockShare(String client, int locks, Duration longestWait) {

	/**
	 * Returns a table for the log.
	 */
	static String table(List<LockShare> shares) {
		int total = shares.stream().mapToInt(LockShare::locks).sum();
		return shares.stream()
			.map((share) -> String.format("| %s | %d | %.1f %% | %d ms |%n", share.client, share.locks,
					100.0 * share.locks / total, share.longestWait.toMillis()))
			.collect(Collectors.joining("",
					String.format("| client | locks | share | longest wait |%n|---|---|---|---|%n"), ""));
	}

}
