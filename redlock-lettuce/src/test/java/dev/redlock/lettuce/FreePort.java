package dev.redlock.lettuce;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A port for a server that may be started again on it.
 */
final class FreePort {

	private static final int ATTEMPTS = 100;

	private static final int FIRST = 12_000;

	private static final int BEHIND_THE_LAST = 22_000;

	/** The port of the cluster bus is higher by this. */
	private static final int BUS = 10_000;

	private FreePort() {
	}

	/**
	 * Below the range from which the system takes ports for outgoing connections, so that
	 * none of those sits on the port when a server is started again.
	 */
	static int find() {
		for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
			int candidate = ThreadLocalRandom.current().nextInt(FIRST, BEHIND_THE_LAST);
			if (isFree(candidate) && isFree(candidate + BUS)) {
				return candidate;
			}
		}
		throw new IllegalStateException("No free port from " + FIRST + " on");
	}

	private static boolean isFree(int port) {
		try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort() == port;
		}
		catch (IOException ex) {
			return false;
		}
	}

}
