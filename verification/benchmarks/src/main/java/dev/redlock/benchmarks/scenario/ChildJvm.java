package dev.redlock.benchmarks.scenario;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Another JVM, which is told what to do line by line and answers in lines. It ends when
 * its input does, and so does not outlive this one.
 */
final class ChildJvm implements AutoCloseable {

	private static final String END = "\0end";

	private static final long LONGEST_ANSWER_SECONDS = 300;

	private static final long LONGEST_END_SECONDS = 20;

	private final Process process;

	private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

	private ChildJvm(Process process) {
		this.process = process;
		Thread reader = new Thread(this::read, "child-" + process.pid());
		reader.setDaemon(true);
		reader.start();
	}

	static ChildJvm start(List<String> classPath, List<String> jvmOptions, Class<?> main, List<String> arguments) {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(jvmOptions);
		command.addAll(List.of("-cp", String.join(System.getProperty("path.separator"), classPath), main.getName()));
		command.addAll(arguments);
		try {
			return new ChildJvm(new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
		}
		catch (IOException ex) {
			throw new UncheckedIOException("A JVM could not be started", ex);
		}
	}

	void say(String line) {
		try {
			this.process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
			this.process.getOutputStream().flush();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("A child process has ended before it was told to", ex);
		}
	}

	/**
	 * Waits for the next line.
	 */
	String hear() {
		try {
			String line = this.lines.poll(LONGEST_ANSWER_SECONDS, TimeUnit.SECONDS);
			if (line == null || line.equals(END)) {
				throw new IllegalStateException(
						"A child process " + ((line != null) ? "has ended without an answer" : "does not answer"));
			}
			return line;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while waiting for a child process", ex);
		}
	}

	@Override
	public void close() {
		try {
			this.process.getOutputStream().close();
			if (!this.process.waitFor(LONGEST_END_SECONDS, TimeUnit.SECONDS)) {
				this.process.destroyForcibly();
			}
		}
		catch (IOException ex) {
			this.process.destroyForcibly();
		}
		catch (InterruptedException ex) {
			this.process.destroyForcibly();
			Thread.currentThread().interrupt();
		}
	}

	private void read() {
		try (BufferedReader reader = new BufferedReader(
				new InputStreamReader(this.process.getInputStream(), StandardCharsets.UTF_8))) {
			for (String line = reader.readLine(); line != null; line = reader.readLine()) {
				this.lines.add(line);
			}
		}
		catch (IOException ex) {
			// Its end, which is told below.
		}
		this.lines.add(END);
	}

}
