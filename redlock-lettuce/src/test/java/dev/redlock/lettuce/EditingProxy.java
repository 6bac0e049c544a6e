package dev.redlock.lettuce;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import io.lettuce.core.RedisURI;

/**
 * A TCP proxy that passes commands on to a real Redis server and edits its replies. It
 * stands in for managed services and for proxies in front of Redis, whose answers differ
 * from those of a server. No such service was tried.
 * <p>
 * Each connection has one thread, which passes one command on after the other. Rules
 * apply in the order in which they were added, and may change while connections are open.
 */
final class EditingProxy implements AutoCloseable {

	/** Keeps each byte as it is. */
	private static final Charset BYTES = StandardCharsets.ISO_8859_1;

	private final ServerSocket listening;

	private final Collection<Socket> sockets = new ConcurrentLinkedQueue<>();

	private final Collection<List<String>> commands = new ConcurrentLinkedQueue<>();

	private volatile List<Rule> rules = List.of();

	private volatile int target;

	/** Where connections lead that are made from now on; 0 if all lead to the target. */
	private volatile int next;

	private EditingProxy(int target) {
		this.target = target;
		try {
			this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		start(this::accept);
	}

	static EditingProxy to(RedisProcess server) {
		return new EditingProxy(server.port());
	}

	/**
	 * Sends all further commands to another server, also those on open connections.
	 */
	EditingProxy turnTo(RedisProcess server) {
		this.target = server.port();
		return this;
	}

	/**
	 * Leads new connections to another server, as a name does that has been changed.
	 */
	void leadTo(RedisProcess server) {
		this.next = server.port();
	}

	/**
	 * Edits the text that the server answers to INFO. A script that calls INFO sees the
	 * text of the server itself.
	 */
	EditingProxy editInfo(UnaryOperator<String> edit) {
		return edit((command) -> command.get(0).equals("INFO"), (reply) -> bulk(edit.apply(body(reply))));
	}

	/**
	 * Leaves some fields out of INFO.
	 */
	EditingProxy leaveOut(String... fields) {
		return editInfo((info) -> info.replaceAll("(?m)^(" + String.join("|", fields) + "):.*\r\n", ""));
	}

	/**
	 * Answers some commands with an error, without asking the server.
	 */
	EditingProxy refuse(Predicate<List<String>> which, String error) {
		return add(new Rule(which, (reply) -> "-" + error + "\r\n", false));
	}

	/**
	 * Answers some commands with OK, without asking the server.
	 */
	EditingProxy accept(Predicate<List<String>> which) {
		return add(new Rule(which, (reply) -> "+OK\r\n", false));
	}

	/**
	 * Edits the replies to some commands, each in its encoded form.
	 */
	EditingProxy edit(Predicate<List<String>> which, UnaryOperator<String> edit) {
		return add(new Rule(which, edit, true));
	}

	/**
	 * Breaks the connection at some commands, without passing them on.
	 */
	EditingProxy breakAt(Predicate<List<String>> which) {
		return add(new Rule(which, (reply) -> {
			throw new UncheckedIOException(new EOFException());
		}, false));
	}

	/**
	 * Edits nothing more.
	 */
	void passAll() {
		this.rules = List.of();
	}

	/**
	 * Returns the commands so far, each with its name in capitals.
	 */
	List<List<String>> commands() {
		return List.copyOf(this.commands);
	}

	int port() {
		return this.listening.getLocalPort();
	}

	RedisURI uri() {
		return RedisURI.create("127.0.0.1", port());
	}

	@Override
	public void close() {
		closeQuietly(this.listening);
		this.sockets.forEach(EditingProxy::closeQuietly);
	}

	private synchronized EditingProxy add(Rule rule) {
		List<Rule> more = new ArrayList<>(this.rules);
		more.add(rule);
		this.rules = List.copyOf(more);
		return this;
	}

	private void accept() throws IOException {
		while (true) {
			Socket client = this.listening.accept();
			this.sockets.add(client);
			start(() -> serve(client));
		}
	}

	private void serve(Socket client) throws IOException {
		Map<Integer, Socket> servers = new HashMap<>();
		int own = this.next;
		try (client) {
			InputStream in = new BufferedInputStream(client.getInputStream());
			while (true) {
				ByteArrayOutputStream raw = new ByteArrayOutputStream();
				List<String> command = new ArrayList<>();
				copy(in, raw, command);
				command.set(0, command.get(0).toUpperCase(Locale.ROOT));
				this.commands.add(List.copyOf(command));
				String reply = reply(command, raw.toByteArray(), servers, (own != 0) ? own : this.target);
				client.getOutputStream().write(reply.getBytes(BYTES));
			}
		}
		finally {
			servers.values().forEach(EditingProxy::closeQuietly);
		}
	}

	private String reply(List<String> command, byte[] raw, Map<Integer, Socket> servers, int port) throws IOException {
		Rule rule = this.rules.stream().filter((each) -> each.which.test(command)).findFirst().orElse(null);
		if (rule != null && !rule.asksServer) {
			return rule.edit.apply("");
		}
		Socket server = servers.get(port);
		if (server == null) {
			server = new Socket(InetAddress.getLoopbackAddress(), port);
			servers.put(port, server);
			this.sockets.add(server);
		}
		server.getOutputStream().write(raw);
		ByteArrayOutputStream reply = new ByteArrayOutputStream();
		copy(server.getInputStream(), reply, new ArrayList<>());
		return (rule != null) ? rule.edit.apply(reply.toString(BYTES)) : reply.toString(BYTES);
	}

	/**
	 * Copies one value of the protocol.
	 * @param texts receives the texts in the value
	 */
	private static void copy(InputStream in, ByteArrayOutputStream out, List<String> texts) throws IOException {
		String head = line(in, out);
		String rest = head.substring(1);
		switch (head.charAt(0)) {
			case '$', '=', '!' -> {
				if (!rest.equals("-1")) {
					byte[] text = in.readNBytes(Integer.parseInt(rest) + 2);
					out.writeBytes(text);
					texts.add(new String(text, 0, text.length - 2, BYTES));
				}
			}
			case '*', '~', '>', '%' -> {
				int values = Integer.parseInt(rest) * ((head.charAt(0) == '%') ? 2 : 1);
				for (int i = 0; i < values; i++) {
					copy(in, out, texts);
				}
			}
			default -> {
			}
		}
	}

	private static String line(InputStream in, ByteArrayOutputStream out) throws IOException {
		ByteArrayOutputStream line = new ByteArrayOutputStream();
		for (int next = in.read(); next != '\n'; next = in.read()) {
			if (next < 0) {
				throw new EOFException();
			}
			line.write(next);
		}
		line.write('\n');
		out.writeBytes(line.toByteArray());
		return line.toString(BYTES).strip();
	}

	private static String body(String reply) {
		String text = reply.substring(reply.indexOf('\n') + 1, reply.length() - 2);
		return (reply.charAt(0) == '=') ? text.substring("txt:".length()) : text;
	}

	private static String bulk(String text) {
		return "$" + text.length() + "\r\n" + text + "\r\n";
	}

	private static void closeQuietly(AutoCloseable closed) {
		try {
			closed.close();
		}
		catch (Exception ex) {
			// It is closed in any case.
		}
	}

	private static void start(Work work) {
		Thread thread = new Thread(() -> {
			try {
				work.run();
			}
			catch (IOException | UncheckedIOException ex) {
				// One side has closed the connection.
			}
		}, "editing-proxy");
		thread.setDaemon(true);
		thread.start();
	}

	/**
	 * What becomes of some commands.
	 *
	 * @param which the commands
	 * @param edit makes the reply from that of the server
	 * @param asksServer whether the server is asked
	 */
	private record Rule(Predicate<List<String>> which, UnaryOperator<String> edit, boolean asksServer) {

	}

	private interface Work {

		void run() throws IOException;

	}

}
