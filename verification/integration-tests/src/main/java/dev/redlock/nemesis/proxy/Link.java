package dev.redlock.nemesis.proxy;

/**
 * The way from one client to one server, which can be made to fail.
 */
public interface Link {

	/**
	 * Sets what becomes of the bytes of all connections, present and future.
	 * @param traffic what becomes of them
	 */
	void set(Traffic traffic);

	/**
	 * Breaks all connections on both sides, with a reset.
	 */
	void reset();

	/**
	 * Closes the server's side of all connections without telling the clients.
	 */
	void halfOpen();

	/**
	 * Sets whether the client knows a route to the server.
	 * @param there false to take it away
	 */
	void setRoute(boolean there);

}
