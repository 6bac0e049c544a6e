package dev.redlock.nemesis;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A client process, seen from outside: what it says, and what is done to it.
 */
final class ClientProcess implements AutoCloseable {

	static final String READY = "ready";

	static final String STOP = "stop";

	static final String IDLE = "idle";

	private static final int LONGEST_WAIT_SECONDS = 120;

	private final String name;

	private final Process process;

	private final Path log;

	private final CompletableFuture<Void> ready = new CompletableFuture<>();

	private final CompletableFuture<Void> idle = new CompletableFuture<>();

	private ClientProcess(String name, Process process, Path log) {
		this.name = name;
		this.process = process;
		this.log = log;
		Thread reader = new Thread(this::read, name + "-output");
		reader.setDaemon(true);
		reader.start();
	}

	/**
	 * Starts a client.
	 * @param prefix what to put before its command: what runs it elsewhere or with
	 * another clock
	 */
	static ClientProcess start(List<String> prefix, String name, Path directory, Class<?> main,
			List<String> arguments) {
		List<String> command = new ArrayList<>(prefix);
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp",
				System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")), main.getName()));
		command.addAll(arguments);
		try {
			return new ClientProcess(name, new ProcessBuilder(command).redirectErrorStream(true).start(),
					directory.resolve(name + ".log"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	Path log() {
		return this.log;
	}

	String name() {
		return this.name;
	}

	void awaitReady() {
		this.ready.orTimeout(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS).join();
	}

	/**
	 * Tells the client to come to an end.
	 */
	void finish() {
		try {
			this.process.getOutputStream().write((STOP + "\n").getBytes(StandardCharsets.UTF_8));
			this.process.getOutputStream().flush();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(this.name + " has ended before it was told to, see " + this.log, ex);
		}
	}

	/**
	 * Waits until it says that it is done. What it said before is in its log by then.
	 */
	void awaitIdle() {
		this.idle.orTimeout(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS).join();
	}

	/**
	 * Stops all threads of the client where they are, without their knowledge.
	 */
	void freeze() {
		signal("STOP");
	}

	void thaw() {
		signal("CONT");
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
	}

	private void signal(String signal) {
		try {
			new ProcessBuilder("sh", "-c", "kill -\"$1\" \"$2\"", "kill", signal, Long.toString(this.process.pid()))
				.start()
				.onExit()
				.orTimeout(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS)
				.join();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void read() {
		try (BufferedReader reader = new BufferedReader(
				new InputStreamReader(this.process.getInputStream(), StandardCharsets.UTF_8));
				var copy = Files.newBufferedWriter(this.log)) {
			for (String line = reader.readLine(); line != null; line = reader.readLine()) {
				copy.write(line);
				copy.newLine();
				copy.flush();
				if (line.equals(READY)) {
					this.ready.complete(null);
				}
				else if (line.equals(IDLE)) {
					this.idle.complete(null);
				}
			}
		}
		catch (IOException ex) {
			this.ready.completeExceptionally(ex);
		}
		IllegalStateException ended = new IllegalStateException(this.name + " has ended, see " + this.log);
		this.ready.completeExceptionally(ended);
		this.idle.completeExceptionally(ended);
	}

}
