package dev.redlock.lettuce;

/**
 * Thrown to end a check because the configuration or the state of the server does not
 * allow locks.
 */
final class UnfitServerException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	UnfitServerException(String message) {
		super(message);
	}

}
