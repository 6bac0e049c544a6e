package dev.redlock.nemesis;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves {@link Resources} to other processes, one line for a request and one for its
 * answer. No fault ever touches it: what is tested is the lock, not the resource.
 */
final class ResourceServer implements AutoCloseable {

	private static final Logger log = LoggerFactory.getLogger(ResourceServer.class);

	private static final int BACKLOG = 64;

	private final ServerSocket socket;

	private final Resources resources;

	private ResourceServer(ServerSocket socket, Resources resources) {
		this.socket = socket;
		this.resources = resources;
	}

	/**
	 * Starts a server.
	 */
	static ResourceServer start(Resources resources) {
		try {
			ResourceServer server = new ResourceServer(new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress()),
					resources);
			daemon(server::accept);
			return server;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Host and port.
	 */
	String address() {
		return this.socket.getInetAddress().getHostAddress() + ":" + this.socket.getLocalPort();
	}

	@Override
	public void close() {
		try {
			this.socket.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void accept() {
		try {
			while (!this.socket.isClosed()) {
				Socket client = this.socket.accept();
				daemon(() -> serve(client));
			}
		}
		catch (IOException ex) {
			log.debug("The resources are closed", ex);
		}
	}

	private void serve(Socket client) {
		try (client;
				BufferedReader reader = new BufferedReader(
						new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8))) {
			for (String line = reader.readLine(); line != null; line = reader.readLine()) {
				String answer = answer(List.of(line.split(" "))) + "\n";
				client.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
			}
		}
		catch (IOException ex) {
			log.debug("A client of the resources has gone", ex);
		}
	}

	/**
	 * A request is a verb, the name, the fence, and what was read before.
	 */
	private long answer(List<String> request) {
		String name = request.get(1);
		long fence = Long.parseLong(request.get(2));
		long base = Long.parseLong(request.get(3));
		return switch (request.get(0)) {
			case "CLAIM" -> this.resources.claim(name, fence);
			case "CHECKED" -> this.resources.writeChecked(name, fence, base);
			case "READ" -> this.resources.read(name);
			case "UNCHECKED" -> this.resources.write(name, base);
			default -> throw new IllegalArgumentException("Nothing is called " + request.get(0));
		};
	}

	private static void daemon(Runnable task) {
		Thread thread = new Thread(task, "resources");
		thread.setDaemon(true);
		thread.start();
	}

}
