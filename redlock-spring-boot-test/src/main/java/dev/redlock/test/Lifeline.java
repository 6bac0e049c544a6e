package dev.redlock.test;

import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

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
	 * Breaks all connections of a server but one, and lets it refuse new ones.
	 * @param node the server
	 * @param timeout how long it may take to answer
	 * @param holder gets the one connection before the others break, so that whoever
	 * notices that finds the node cut off; and nothing if it fails
	 */
	static void cutOff(RedisNode node, Duration timeout, Consumer<@Nullable Lifeline> holder) {
		try {
			Lifeline lifeline = new Lifeline(Resp.connect(node.port(), timeout), node.port());
			holder.accept(lifeline);
			lifeline.breakOthers();
		}
		catch (IOException ex) {
			holder.accept(null);
			throw new IllegalStateException("Redis node " + node + " could not be cut off: " + ex.getMessage(), ex);
		}
	}

	private void breakOthers() throws IOException {
		try {
			// First the port: whoever is thrown out must not come in again.
			this.connection.call("CONFIG", "SET", "port", "0");
			this.connection.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
			this.connection.call("CLIENT", "KILL", "TYPE", "pubsub", "SKIPME", "yes");
		}
		catch (IOException ex) {
			drop();
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
