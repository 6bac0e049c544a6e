package dev.redlock.lettuce;

import java.util.concurrent.Executor;

/**
 * Makes the connections of one node.
 */
interface NodeConnector {

	/**
	 * Runs {@link #connect}, which blocks.
	 */
	Executor executor();

	/**
	 * Connects to the servers, and blocks meanwhile.
	 * @param check checks the servers
	 */
	NodeConnection connect(ServerCheck check);

	/**
	 * Returns what to do about a user name or password that was rejected.
	 * @param bySentinel whether a sentinel rejected the user name or password
	 */
	String remedy(boolean bySentinel);

	/**
	 * Returns the rights that the Redis user needs, as rules of an ACL.
	 */
	String aclRules();

}
