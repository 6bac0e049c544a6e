package dev.redlock.nemesis;

import java.util.List;

import dev.redlock.nemesis.proxy.Link;
import dev.redlock.test.RedisNode;
import org.jspecify.annotations.Nullable;

/**
 * Where servers and clients are, and what is between them.
 */
interface Network extends AutoCloseable {

	/**
	 * Starts a server that keeps nothing.
	 * @param clock its clock, or null for that of the machine
	 */
	RedisNode start(String name, @Nullable SteppedClock clock);

	/**
	 * Starts a server that keeps its data.
	 * @param disk its disk, or null for that of the machine
	 */
	RedisNode startDurable(String name, @Nullable FailingDisk disk);

	/**
	 * What to put before the command of a client.
	 */
	List<String> clientPrefix(int client);

	/**
	 * Host and port by which a client connects to a server.
	 */
	String address(int client, RedisNode server);

	/**
	 * The way from a client to a server.
	 */
	Link link(int client, RedisNode server);

	/**
	 * Sets whether the cable of a server's host is in.
	 */
	void setCable(RedisNode server, boolean in);

	/**
	 * The address of the host of the run itself, which no fault cuts off.
	 */
	String ownHost();

	@Override
	void close();

}
