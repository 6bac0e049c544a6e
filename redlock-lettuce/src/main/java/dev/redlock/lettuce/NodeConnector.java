package dev.redlock.lettuce;

import java.util.concurrent.Executor;

/**
 * Connects one node to its Redis servers.
 */
interface NodeConnector {

	Executor executor();

	/**
	 * Connects the node to its servers, and blocks until the node is connected.
	 */
	NodeConnection connect(ServerCheck check);

	/**
	 * Returns what to do about a user name or password that a server or a sentinel
	 * rejected.
	 */
	String remedy(boolean bySentinel);

	String aclRules();

}
