package dev.redlock.spi;

/**
 * Listens for the releases of one key on one node, until it is closed.
 */
public interface Watch {

	/**
	 * A watch of a node that cannot tell.
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
	 * Whether releases are heard at the moment.
	 * @return whether they are
	 */
	boolean isListening();

	/**
	 * Stops listening. Nothing is kept on the node.
	 */
	void close();

}
