package dev.redlock.test;

import java.io.IOException;
import java.time.Duration;

/**
 * The one connection to a server that is cut off from all other clients.
 */
final class ControlConnection {

	private final Resp connection;

	private final int port;

	ControlConnection(String host, int port, Duration timeout) throws IOException {
		this.connection = Resp.connect(host, port, timeout);
		this.port = port;
	}

	/**
	 * Breaks all other connections, and lets the server refuse new ones.
	 */
	void cutOff() throws IOException {
		// The port comes first, so that no client can connect again.
		this.connection.call("CONFIG", "SET", "port", "0");
		this.connection.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
		this.connection.call("CLIENT", "KILL", "TYPE", "pubsub", "SKIPME", "yes");
	}

	/**
	 * Lets the server listen on its port again, and closes this connection.
	 */
	void reconnect() throws IOException {
		this.connection.call("CONFIG", "SET", "port", Integer.toString(this.port));
		close();
	}

	void close() {
		try {
			this.connection.close();
		}
		catch (IOException ex) {
			// The server may have ended. The socket is of no use then.
		}
	}

}
