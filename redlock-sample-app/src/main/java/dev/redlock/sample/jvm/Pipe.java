package dev.redlock.sample.jvm;

/**
 * What the lines between the two JVMs begin with. Other lines are the log.
 */
final class Pipe {

	/**
	 * The second JVM is there.
	 */
	static final String READY = "@ready";

	/**
	 * All its buyers have gone, as they were told.
	 */
	static final String GONE = "@gone";

	/**
	 * A turn follows, as JSON.
	 */
	static final String TURN = "@turn ";

	private Pipe() {
	}

}
