package dev.redlock.benchmarks.measure;

/**
 * One contender in one round.
 *
 * @param tally what its threads did
 * @param exact whether a counter that only the lock protects came out right
 * @param sent commands on the network for each lock and server
 * @param executed the same with those inside of scripts
 */
public record Round(Tally tally, boolean exact, double sent, double executed) {

	/**
	 * Puts together what was seen.
	 * @param tally what its threads did
	 * @param exact whether the counter came out right
	 * @param sent commands on the network, in all
	 * @param executed commands that ran, in all
	 * @param servers on how many servers
	 * @return the round
	 */
	public static Round of(Tally tally, boolean exact, long sent, long executed, int servers) {
		double locks = Math.max(1, tally.total()) * (double) servers;
		return new Round(tally, exact, sent / locks, executed / locks);
	}

}
