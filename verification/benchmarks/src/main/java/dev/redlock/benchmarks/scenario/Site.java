package dev.redlock.benchmarks.scenario;

/**
 * A set of Redis servers that a scenario needs.
 */
enum Site {

	/**
	 * Five healthy servers.
	 */
	MAIN(5),

	/**
	 * Five servers, some of which will be killed.
	 */
	DOOMED(5),

	/**
	 * Five servers to which this process does not connect.
	 */
	QUIET(5),

	/**
	 * One server.
	 */
	ONE(1),

	/**
	 * Three servers.
	 */
	THREE(3),

	/**
	 * Seven servers.
	 */
	SEVEN(7);

	private final int servers;

	Site(int servers) {
		this.servers = servers;
	}

	int servers() {
		return this.servers;
	}

}
