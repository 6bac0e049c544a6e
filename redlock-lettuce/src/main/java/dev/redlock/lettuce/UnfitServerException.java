package dev.redlock.lettuce;

/**
 * Thrown to end the check of a server whose configuration or state does not allow locks.
 */
final class UnfitServerException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	UnfitServerException(String message) {
		super(message);
	}

}
