package dev.redlock.test.lateholder;

/**
 * Thrown in the call under test to simulate a crash of the process. This class is an
 * error, because most code catches only exceptions.
 */
final class CrashError extends Error {

	private static final long serialVersionUID = 1L;

	CrashError() {
		super("The late-holder test ends the call at this step to simulate a crash of the process", null, false, false);
	}

}
