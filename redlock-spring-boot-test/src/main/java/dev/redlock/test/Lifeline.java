package dev.redlock.test;

import java.io.IOException;
import java.time.Duration;

/**
 * The one connection that is left to a server that nobody else can reach any more.
 */
final class Lifeline {

	private final Resp connection;

	private final int port;

	private Lifeline(Resp connection, int port) {
		this.connection = connection;
		this.port = port;
	}

	/**
	 * Breaks all connections of a server but this one, and lets it refuse new ones.
	 */
	static Lifeline cutOff(RedisNode node, Duration timeout) {
		try {
			return cutOff(node.port(), timeout);
		}
		catch (IOException ex) {
			throw new IllegalStateException("Redis node " + node + " could not be cut off: " + ex.getMessage(), ex);
		}
	}

	private static Lifeline cutOff(int port, Duration timeout) throws IOException {
		Lifeline lifeline = new Lifeline(Resp.connect(port, timeout), port);
		try {
			// First the port: whoever is thrown out must not come in again.
			lifeline.connection.call("CONFIG", "SET", "port", "0");
			lifeline.connection.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
			lifeline.connection.call("CLIENT", "KILL", "TYPE", "pubsub", "SKIPME", "yes");
			return lifeline;
		}
		catch (IOException ex) {
			lifeline.drop();
			throw ex;
		}
	}

	/**
	 * Lets the server listen on its port again.
	 */
	void reconnect(RedisNode node) {
		try {
			this.connection.call("CONFIG", "SET", "port", Integer.toString(this.port));
			drop();
		}
		catch (IOException ex) {
			throw new IllegalStateException("Redis node " + node
					+ " could not be connected again. Call restartEmpty() instead. " + ex.getMessage(), ex);
		}
	}

	void drop() {
		try {
			this.connection.close();
		}
		catch (IOException ex) {
			// A socket that cannot be closed is of no more use either.
		}
	}

}
