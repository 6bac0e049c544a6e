package dev.redlock.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.springframework.util.FileSystemUtils;

/**
 * One process of {@code redis-server}, with a separate directory for its data.
 */
final class RedisServerProcess {

	private static final Duration READY_WITHIN = Duration.ofSeconds(20);

	private static final Duration POLL_EVERY = Duration.ofMillis(5);

	private static final Duration PING_TIMEOUT = Duration.ofSeconds(1);

	private static final Duration EXIT_WITHIN = Duration.ofSeconds(10);

	private static final int MOST_OUTPUT = 4000;

	private final Process process;

	private final Path directory;

	private final String host;

	private final int port;

	private RedisServerProcess(Process process, Path directory, String host, int port) {
		this.process = process;
		this.directory = directory;
		this.host = host;
		this.port = port;
	}

	static RedisServerProcess launch(Path executable, String host, int port, boolean durable) {
		try {
			return launch(executable, host, port, durable, Files.createTempDirectory("redlock-redis-"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The directory of an embedded Redis server could not be created", ex);
		}
	}

	private static RedisServerProcess launch(Path executable, String host, int port, boolean durable, Path directory) {
		try {
			Process process = new ProcessBuilder(command(executable, directory, host, port, durable))
				.directory(directory.toFile())
				.redirectErrorStream(true)
				.redirectOutput(output(directory).toFile())
				.start();
			Watchdog.guard(process, directory);
			return new RedisServerProcess(process, directory, host, port);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(executable + " could not be started", ex);
		}
	}

	/**
	 * Returns false if the server process has ended, for example because another process
	 * has taken the port.
	 */
	boolean awaitReady() {
		long start = System.nanoTime();
		while (this.process.isAlive()) {
			if (answers()) {
				return true;
			}
			if (System.nanoTime() - start > READY_WITHIN.toNanos()) {
				throw new IllegalStateException("redis-server on port " + this.port + " was not ready within "
						+ READY_WITHIN.toSeconds() + " s: " + output());
			}
			LockSupport.parkNanos(POLL_EVERY.toNanos());
		}
		return false;
	}

	boolean isAlive() {
		return this.process.isAlive();
	}

	int port() {
		return this.port;
	}

	/**
	 * Sends a signal to the server process by the shell's built-in {@code kill}, because
	 * a {@code kill} program may not be installed.
	 */
	void signal(String signal) {
		try {
			Process kill = new ProcessBuilder("sh", "-c", "kill -\"$1\" \"$2\"", "kill", signal,
					Long.toString(this.process.pid()))
				.redirectErrorStream(true)
				.start();
			awaitExit(kill);
			if (kill.exitValue() != 0) {
				throw new IllegalStateException("SIG" + signal + " did not reach redis-server on port " + this.port);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException("SIG" + signal + " could not be sent", ex);
		}
	}

	/**
	 * Kills the server process as {@code kill -9} does, even if the process is frozen,
	 * and deletes its data.
	 */
	void kill() {
		end();
		try {
			FileSystemUtils.deleteRecursively(this.directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(this.directory + " could not be deleted", ex);
		}
	}

	RedisServerProcess relaunchWithData(Path executable) {
		end();
		return launch(executable, this.host, this.port, true, this.directory);
	}

	String output() {
		try {
			String text = Files.readString(output(this.directory), StandardCharsets.UTF_8);
			return text.substring(Math.max(0, text.length() - MOST_OUTPUT));
		}
		catch (IOException ex) {
			return "(its output could not be read: " + ex.getMessage() + ")";
		}
	}

	private void end() {
		this.process.destroyForcibly();
		awaitExit(this.process);
	}

	private boolean answers() {
		try {
			List<String> info = String.valueOf(Resp.call(this.host, this.port, PING_TIMEOUT, "INFO")).lines().toList();
			// Another Redis server may listen on this port, so the answer must have the
			// process id of this server.
			return info.contains("process_id:" + this.process.pid()) && info.contains("loading:0");
		}
		catch (IOException ex) {
			return false;
		}
	}

	private static List<String> command(Path executable, Path directory, String host, int port, boolean durable) {
		List<String> command = new ArrayList<>(Watchdog.OWN_SESSION);
		command.addAll(List.of(executable.toString(), "--port", Integer.toString(port), "--bind", host));
		command.addAll(List.of("--save", "", "--appendonly", durable ? "yes" : "no", "--appendfsync", "always"));
		command.addAll(List.of("--dir", directory.toString()));
		command.addAll(List.of("--maxmemory-policy", "noeviction", "--daemonize", "no"));
		return command;
	}

	private static Path output(Path directory) {
		return directory.resolve("redis-server.log");
	}

	/**
	 * Waits for the end of a server process even if the thread is interrupted, because
	 * tests that interrupt their thread must also clean up.
	 */
	private static void awaitExit(Process process) {
		process.onExit().orTimeout(EXIT_WITHIN.toMillis(), TimeUnit.MILLISECONDS).join();
	}

}
