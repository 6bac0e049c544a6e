package dev.redlock.spring.redis;

/**
 * Ends a check: there are no locks on this server as it is.
 */
final class UnfitServerException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final boolean extendable;

	private UnfitServerException(String message, boolean extendable) {
		super(message);
		this.extendable = extendable;
	}

	static UnfitServerException because(String why) {
		return new UnfitServerException(why, false);
	}

	/**
	 * The server takes no writes from anybody for now, but knows the locks that it has.
	 */
	static UnfitServerException refusingWrites(String why) {
		return new UnfitServerException("The server refuses all writes. " + why, true);
	}

	/**
	 * Whether locks that the server has may still be extended.
	 */
	boolean isExtendable() {
		return this.extendable;
	}

}
