package dev.redlock.test.lateholder;

/**
 * Ends a call where its process is taken to have crashed. An error, because most code
 * does not catch it.
 */
final class CrashError extends Error {

	private static final long serialVersionUID = 1L;

	CrashError() {
		super("The late-holder test ends the call here, as a crash of its process would", null, false, false);
	}

}
