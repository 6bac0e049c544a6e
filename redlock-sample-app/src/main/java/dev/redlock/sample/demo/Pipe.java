package dev.redlock.sample.demo;

/**
 * The prefixes of lines from the second JVM to the first. Other lines are the log.
 */
final class Pipe {

	/**
	 * The second JVM is ready.
	 */
	static final String READY = "@ready";

	/**
	 * All its buyers have stopped.
	 */
	static final String GONE = "@gone";

	/**
	 * A turn follows, as JSON.
	 */
	static final String TURN = "@turn ";

	private Pipe() {
	}

}
