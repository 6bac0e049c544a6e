package dev.redlock.lettuce.internal.check;

import java.util.concurrent.Executor;

import dev.redlock.lettuce.internal.connection.NodeConnection;

/**
 * Connects one node to its Redis servers.
 */
public interface NodeConnector {

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
