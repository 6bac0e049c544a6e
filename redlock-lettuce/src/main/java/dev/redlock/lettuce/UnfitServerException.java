package dev.redlock.lettuce;

/**
 * Ends a check because the server, as it is, cannot hold locks.
 */
final class UnfitServerException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	UnfitServerException(String message) {
		super(message);
	}

}
