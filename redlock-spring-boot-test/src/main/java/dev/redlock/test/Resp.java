package dev.redlock.test;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A connection to a Redis server, which sends one command at a time. This class shares no
 * code with the Redis client under test, so that tests notice errors of the client.
 */
final class Resp implements Closeable {

	private final Socket socket;

	private final InputStream replies;

	private Resp(Socket socket) throws IOException {
		this.socket = socket;
		this.replies = new BufferedInputStream(socket.getInputStream());
	}

	static Resp connect(String host, int port, Duration timeout) throws IOException {
		int timeoutMillis = Math.toIntExact(timeout.toMillis());
		Socket socket = new Socket();
		try {
			socket.connect(new InetSocketAddress(host, port), timeoutMillis);
			socket.setSoTimeout(timeoutMillis);
			return new Resp(socket);
		}
		catch (IOException ex) {
			socket.close();
			throw ex;
		}
	}

	/**
	 * @return the reply: a String, a Long, null, or a List of replies
	 */
	static @Nullable Object call(String host, int port, Duration timeout, String... command) throws IOException {
		try (Resp connection = connect(host, port, timeout)) {
			return connection.call(command);
		}
	}

	@Nullable Object call(String... command) throws IOException {
		this.socket.getOutputStream().write(encode(command));
		return read(this.replies);
	}

	@Override
	public void close() throws IOException {
		this.socket.close();
	}

	private static byte[] encode(String... command) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		bytes.writeBytes(("*" + command.length + "\r\n").getBytes(UTF_8));
		for (String word : command) {
			byte[] text = word.getBytes(UTF_8);
			bytes.writeBytes(("$" + text.length + "\r\n").getBytes(UTF_8));
			bytes.writeBytes(text);
			bytes.writeBytes("\r\n".getBytes(UTF_8));
		}
		return bytes.toByteArray();
	}

	private static @Nullable Object read(InputStream in) throws IOException {
		String line = line(in);
		String rest = line.substring(1);
		return switch (line.charAt(0)) {
			case '+' -> rest;
			case ':' -> Long.valueOf(rest);
			case '$' -> bulk(in, Integer.parseInt(rest));
			case '*' -> array(in, Integer.parseInt(rest));
			case '-' -> throw new RedisError(rest);
			default -> throw new IOException("The server did not answer in the Redis protocol: " + line);
		};
	}

	private static String line(InputStream in) throws IOException {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		for (int next = in.read(); next != '\n'; next = in.read()) {
			if (next < 0) {
				throw new EOFException("The server closed the connection in the middle of its reply");
			}
			bytes.write(next);
		}
		String line = bytes.toString(UTF_8).stripTrailing();
		if (line.isEmpty()) {
			throw new IOException("The server did not answer in the Redis protocol: an empty line");
		}
		return line;
	}

	private static @Nullable String bulk(InputStream in, int length) throws IOException {
		if (length < 0) {
			return null;
		}
		byte[] bytes = in.readNBytes(length + 2);
		if (bytes.length < length + 2) {
			throw new EOFException("The server closed the connection in the middle of its reply");
		}
		return new String(bytes, 0, length, UTF_8);
	}

	private static @Nullable List<@Nullable Object> array(InputStream in, int length) throws IOException {
		if (length < 0) {
			return null;
		}
		List<@Nullable Object> elements = new ArrayList<>(length);
		for (int i = 0; i < length; i++) {
			elements.add(read(in));
		}
		return elements;
	}

	static final class RedisError extends IOException {

		private static final long serialVersionUID = 1L;

		RedisError(String message) {
			super(message);
		}

	}

}
