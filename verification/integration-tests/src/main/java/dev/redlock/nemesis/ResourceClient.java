package dev.redlock.nemesis;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * One thread's way to a {@link ResourceServer}.
 */
final class ResourceClient implements AutoCloseable {

	private final Socket socket;

	private final BufferedReader reader;

	/**
	 * Connects.
	 * @param address host and port
	 */
	ResourceClient(String address) throws IOException {
		int colon = address.lastIndexOf(':');
		this.socket = new Socket(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
		this.socket.setTcpNoDelay(true);
		this.reader = new BufferedReader(new InputStreamReader(this.socket.getInputStream(), StandardCharsets.UTF_8));
	}

	long claim(String name, long fence) throws IOException {
		return call("CLAIM", name, fence, 0);
	}

	long writeChecked(String name, long fence, long base) throws IOException {
		return call("CHECKED", name, fence, base);
	}

	long read(String name) throws IOException {
		return call("READ", name, 0, 0);
	}

	long write(String name, long base) throws IOException {
		return call("UNCHECKED", name, 0, base);
	}

	@Override
	public void close() throws IOException {
		this.socket.close();
	}

	private long call(String verb, String name, long fence, long base) throws IOException {
		String request = String.join(" ", verb, name, Long.toString(fence), Long.toString(base)) + "\n";
		this.socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
		String answer = this.reader.readLine();
		if (answer == null) {
			throw new EOFException("The resources are gone");
		}
		return Long.parseLong(answer);
	}

}
