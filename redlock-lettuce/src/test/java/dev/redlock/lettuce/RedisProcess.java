package dev.redlock.lettuce;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.awaitility.core.TerminalFailureException;
import redis.embedded.RedisExecProvider;

/**
 * A real Redis server that can be killed, frozen and started again.
 */
public final class RedisProcess implements AutoCloseable {

	private static final Duration BOUND = Duration.ofSeconds(10);

	private static final int MOST_STARTS = 5;

	private final int port;

	private final List<String> options;

	private final boolean encrypted;

	private final Path directory;

	private final Path output;

	private final RedisClient client;

	private Process process;

	RedisProcess(int port, List<String> options, boolean encrypted) {
		this.port = port;
		this.options = options;
		this.encrypted = encrypted;
		this.client = RedisClient.create(uri());
		try {
			this.directory = Files.createTempDirectory("redlock-redis");
			this.output = Files.createTempFile("redlock-redis", ".log");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Starts a server without persistence on a free port, and on another one if a test
	 * beside this one takes the port first.
	 */
	public static RedisProcess start(String... options) {
		for (int starts = 1;; starts++) {
			RedisProcess redis = prepare(options);
			try {
				redis.startAgain();
				return redis;
			}
			catch (TerminalFailureException ex) {
				redis.close();
				if (starts == MOST_STARTS) {
					throw ex;
				}
			}
		}
	}

	/**
	 * A server that is not running yet, with its port.
	 */
	public static RedisProcess prepare(String... options) {
		return new RedisProcess(FreePort.find(), List.of(options), false);
	}

	/**
	 * Whether the server is there; not every build of Redis knows every option.
	 */
	public boolean isRunning() {
		return this.process != null && this.process.isAlive();
	}

	public int port() {
		return this.port;
	}

	public RedisURI uri() {
		// Who asks here knows whom.
		return RedisURI.builder()
			.withHost("127.0.0.1")
			.withPort(this.port)
			.withSsl(this.encrypted)
			.withVerifyPeer(false)
			.build();
	}

	/**
	 * Starts the server with the files that the last one left, if any.
	 * @param changed options that differ from those of its first start
	 */
	public void startAgain(String... changed) {
		List<String> command = new ArrayList<>(List.of(executable(), "--port", Integer.toString(this.port), "--bind",
				"127.0.0.1", "--save", "", "--dir", this.directory.toString()));
		command.addAll(this.options);
		// The last of two options of the same name counts.
		command.addAll(List.of(changed));
		launch(command);
		awaitAnswer(() -> Files.readString(this.output).contains("Ready to accept connections"));
	}

	Path directory() {
		return this.directory;
	}

	/**
	 * Ends the server. What it wrote to files stays, whether it was synced or not, which
	 * a power failure would not leave.
	 */
	public void kill() {
		this.process.destroyForcibly();
		try {
			this.process.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Takes away what the server wrote, as a new disk does.
	 */
	void removeFiles() {
		delete((path) -> !path.equals(this.directory));
	}

	public void restart() {
		kill();
		startAgain();
	}

	public void freeze() {
		signal("STOP");
	}

	public void thaw() {
		signal("CONT");
	}

	/**
	 * A client of its own, to look behind the scenes.
	 */
	public <T> T ask(Function<RedisCommands<String, String>, T> question) {
		try (StatefulRedisConnection<String, String> connection = this.client.connect()) {
			return question.apply(connection.sync());
		}
	}

	/**
	 * Makes the server the only member of a cluster.
	 */
	public void takeAllSlots() {
		ask((commands) -> commands.clusterAddSlots(IntStream.rangeClosed(0, 16383).toArray()));
		Awaitility.await()
			.atMost(BOUND)
			.until(() -> ask((commands) -> commands.clusterInfo().contains("cluster_state:ok")));
	}

	/**
	 * Makes the server a replica of another one that has all of its data.
	 */
	void follow(RedisProcess master) {
		master.ask((commands) -> commands.configSet("repl-diskless-sync-delay", "0"));
		ask((commands) -> commands.replicaof("127.0.0.1", master.port));
		Awaitility.await()
			.atMost(BOUND)
			.until(() -> ask((commands) -> commands.info("replication").contains("master_link_status:up")));
	}

	/**
	 * Starts a sentinel that watches a master under the name {@code locks}.
	 */
	static RedisProcess startSentinel(RedisProcess master) {
		RedisProcess sentinel = prepare();
		Path file = sentinel.directory.resolve("sentinel.conf");
		try {
			Files.writeString(file, """
					port %d
					bind 127.0.0.1
					sentinel monitor locks 127.0.0.1 %d 1
					sentinel down-after-milliseconds locks 500
					""".formatted(sentinel.port, master.port));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		sentinel.launch(List.of(executable(), file.toString(), "--sentinel"));
		sentinel.awaitAnswer(() -> true);
		return sentinel;
	}

	/**
	 * Sends a command as it would be typed.
	 */
	public void command(String... words) {
		CommandArgs<String, String> arguments = new CommandArgs<>(StringCodec.UTF8)
			.addValues(List.of(words).subList(1, words.length));
		this.<Object>ask((commands) -> commands.dispatch(CommandType.valueOf(words[0]),
				new NestedMultiOutput<>(StringCodec.UTF8), arguments));
	}

	@Override
	public void close() {
		if (this.process != null && this.process.isAlive()) {
			thaw();
			kill();
		}
		this.client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
		delete((path) -> true);
		this.output.toFile().delete();
	}

	void launch(List<String> command) {
		try {
			this.process = new ProcessBuilder(command).redirectErrorStream(true)
				.redirectOutput(this.output.toFile())
				.start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * The server of another test on this port would answer too.
	 * @param ready whether this server says that it is ready
	 */
	private void awaitAnswer(Callable<Boolean> ready) {
		try {
			Awaitility.await()
				.atMost(BOUND)
				.pollInterval(Duration.ofMillis(10))
				.ignoreExceptions()
				.failFast("The server on port " + this.port + " has ended", () -> !isRunning())
				.until(() -> ready.call() && answers());
		}
		catch (ConditionTimeoutException ex) {
			kill();
			throw ex;
		}
	}

	/**
	 * Any answer will do: a server with a password refuses a PING.
	 */
	private boolean answers() throws IOException {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.port)) {
			socket.setSoTimeout(1000);
			socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
			return socket.getInputStream().read() >= 0;
		}
	}

	private void signal(String name) {
		try {
			new ProcessBuilder("kill", "-" + name, Long.toString(this.process.pid())).start()
				.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	static String executable() {
		String named = System.getProperty("redlock.test.redis", "");
		if (named.contains("/")) {
			return named;
		}
		for (String directory : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)) {
			File candidate = new File(directory, "redis-server");
			if (candidate.canExecute()) {
				return candidate.getPath();
			}
		}
		try {
			return RedisExecProvider.defaultProvider().get().getPath();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void delete(Predicate<Path> which) {
		try (Stream<Path> files = Files.walk(this.directory)) {
			files.sorted(Comparator.reverseOrder()).filter(which).map(Path::toFile).forEach(File::delete);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
