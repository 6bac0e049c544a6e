package dev.redlock.lettuce;

/**
 * Ends a check because the server, as it is, cannot hold locks.
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
	 * The server refuses all writes for now, but still knows its locks.
	 * @param extendable whether it may extend them
	 */
	static UnfitServerException refusingWrites(String why, boolean extendable) {
		return new UnfitServerException("The server refuses all writes. " + why, extendable);
	}

	/**
	 * Whether locks on the server may still be extended.
	 */
	boolean isExtendable() {
		return this.extendable;
	}

}
