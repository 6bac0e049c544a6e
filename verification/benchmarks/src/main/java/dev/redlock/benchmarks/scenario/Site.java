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
	DOOMED(5);

	private final int servers;

	Site(int servers) {
		this.servers = servers;
	}

	int servers() {
		return this.servers;
	}

}
