package dev.redlock.test.lateholder;

/**
 * The servers that grant the locks of the application.
 */
interface Servers {

	/**
	 * Returns when each lease that the application holds has expired, as if its process
	 * had stood still. No lease is renewed meanwhile.
	 */
	void expire();

}
