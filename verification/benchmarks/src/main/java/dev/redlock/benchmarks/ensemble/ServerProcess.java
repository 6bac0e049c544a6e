package dev.redlock.benchmarks.ensemble;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import org.springframework.util.FileSystemUtils;

/**
 * A server with a directory of its own. It keeps its files when it is killed, and ends
 * with this JVM.
 */
final class ServerProcess implements AutoCloseable {

	private static final String WATCHDOG = "trap '' HUP INT TERM; read -r end; kill -9 \"$1\"; rm -rf \"$2\"";

	private static final Duration READY_WITHIN = Duration.ofSeconds(60);

	private static final Duration EXIT_WITHIN = Duration.ofSeconds(10);

	private static final long LOOK_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

	private static final int MOST_OUTPUT = 2_000;

	private final Path directory;

	private final List<String> command;

	private Process process;

	private boolean frozen;

	private ServerProcess(Path directory, List<String> command) {
		this.directory = directory;
		this.command = command;
		this.process = launch();
	}

	static ServerProcess start(Path directory, List<String> command) {
		return new ServerProcess(directory, List.copyOf(command));
	}

	static Path newDirectory() {
		try {
			return Files.createTempDirectory("redlock-member-");
		}
		catch (IOException ex) {
			throw new UncheckedIOException("No directory could be made for a server", ex);
		}
	}

	/**
	 * Ports that were free a moment ago, each a different one.
	 */
	static List<Integer> freePorts(int count) {
		List<ServerSocket> sockets = new ArrayList<>();
		try {
			for (int i = 0; i < count; i++) {
				sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
			}
			return sockets.stream().map(ServerSocket::getLocalPort).toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("No free port was found", ex);
		}
		finally {
			sockets.forEach(ServerProcess::close);
		}
	}

	/**
	 * Waits until the server is ready.
	 * @param ready asks it, and may throw as long as it is not
	 */
	void awaitReady(BooleanSupplier ready) {
		long start = System.nanoTime();
		while (!succeeds(ready)) {
			if (!this.process.isAlive() || System.nanoTime() - start > READY_WITHIN.toNanos()) {
				throw new IllegalStateException(
						this.command.get(0) + " was not ready within " + READY_WITHIN.toSeconds() + " s: " + output());
			}
			LockSupport.parkNanos(LOOK_EVERY_NANOS);
		}
	}

	void kill() {
		this.process.destroyForcibly();
		this.process.onExit().orTimeout(EXIT_WITHIN.toMillis(), TimeUnit.MILLISECONDS).join();
		this.frozen = false;
	}

	void freeze() {
		signal("STOP");
		this.frozen = true;
	}

	/**
	 * Lets the server go on, or starts it again with its files.
	 */
	void heal() {
		if (this.frozen) {
			signal("CONT");
			this.frozen = false;
		}
		if (!this.process.isAlive()) {
			this.process = launch();
		}
	}

	@Override
	public void close() {
		kill();
		FileSystemUtils.deleteRecursively(this.directory.toFile());
	}

	private Process launch() {
		try {
			Process server = new ProcessBuilder(this.command).directory(this.directory.toFile())
				.redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
				.start();
			// The pipe to this shell breaks when this JVM ends, however it ends.
			Process watchdog = new ProcessBuilder("sh", "-c", WATCHDOG, "watchdog", Long.toString(server.pid()),
					this.directory.toString())
				.redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.redirectError(ProcessBuilder.Redirect.DISCARD)
				.start();
			server.onExit().thenRun(watchdog::destroyForcibly);
			return server;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(this.command.get(0) + " could not be started", ex);
		}
	}

	private void signal(String name) {
		try {
			Process kill = new ProcessBuilder("sh", "-c", "kill -\"$1\" \"$2\"", "kill", name,
					Long.toString(this.process.pid()))
				.start();
			kill.onExit().orTimeout(EXIT_WITHIN.toMillis(), TimeUnit.MILLISECONDS).join();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("SIG" + name + " could not be sent", ex);
		}
	}

	private String output() {
		try {
			String text = Files.readString(log());
			return text.substring(Math.max(0, text.length() - MOST_OUTPUT));
		}
		catch (IOException ex) {
			return "(its output could not be read: " + ex.getMessage() + ")";
		}
	}

	private Path log() {
		return this.directory.resolve("server.log");
	}

	private static boolean succeeds(BooleanSupplier ready) {
		try {
			return ready.getAsBoolean();
		}
		catch (RuntimeException ex) {
			return false;
		}
	}

	private static void close(ServerSocket socket) {
		try {
			socket.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
