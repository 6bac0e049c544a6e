package dev.redlock.test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Picks free ports for servers, outside the range that the system uses for outgoing
 * connections. A client that reconnects to a port in this range may get the same local
 * port, and connect to itself.
 */
final class Ports {

	private static final int LOWEST = 10_000;

	private static final int HIGHEST = 32_767;

	private static final int MOST_TRIES = 200;

	private Ports() {
	}

	/**
	 * Returns a port that was free during the call, but that another process may take
	 * before a server starts.
	 */
	static int free() {
		for (int i = 0; i < MOST_TRIES; i++) {
			int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST + 1);
			if (isFree(port)) {
				return port;
			}
		}
		throw new IllegalStateException("No free port found between " + LOWEST + " and " + HIGHEST);
	}

	private static boolean isFree(int port) {
		try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
			return socket.isBound();
		}
		catch (IOException ex) {
			return false;
		}
	}

}
