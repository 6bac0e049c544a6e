package dev.redlock.lettuce;

import java.util.concurrent.Executor;

/**
 * Connects one node to its Redis servers.
 */
interface NodeConnector {

	/**
	 * Returns the executor that runs {@link #connect}, which blocks.
	 */
	Executor executor();

	/**
	 * Connects the node to its servers. This method blocks until the node is connected.
	 * @param check checks the servers of the new connection
	 */
	NodeConnection connect(ServerCheck check);

	/**
	 * Returns what a person should do about a rejected user name or password.
	 * @param bySentinel true if a sentinel rejected the credentials, false if a server
	 * did
	 */
	String remedy(boolean bySentinel);

	/**
	 * Returns the ACL rules that the Redis user of the lock needs.
	 */
	String aclRules();

}
