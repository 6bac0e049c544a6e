package dev.redlock.lettuce.internal.facts;

/**
 * Thrown to end the check of a server whose configuration or state does not allow locks.
 */
public final class UnfitServerException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	public UnfitServerException(String message) {
		super(message);
	}

}
