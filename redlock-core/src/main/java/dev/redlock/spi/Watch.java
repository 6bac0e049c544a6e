package dev.redlock.spi;

/**
 * A subscription to the releases of one key on one node.
 */
public interface Watch {

	/**
	 * A watch that never receives a release.
	 */
	Watch DEAF = new Watch() {

		@Override
		public boolean isListening() {
			return false;
		}

		@Override
		public void close() {
		}

	};

	/**
	 * Returns whether releases are being received now.
	 */
	boolean isListening();

	/**
	 * Ends the subscription and leaves nothing on the node.
	 */
	void close();

}
