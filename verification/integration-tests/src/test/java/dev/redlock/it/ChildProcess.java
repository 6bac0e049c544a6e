package dev.redlock.it;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A process beside the tests, usually another JVM with their class path.
 */
public final class ChildProcess implements AutoCloseable {

	private static final int MOST_SECONDS = 240;

	private final Process process;

	private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

	private ChildProcess(Process process) {
		this.process = process;
		Thread reader = new Thread(this::read, "child-output");
		reader.setDaemon(true);
		reader.start();
	}

	/**
	 * Starts the main method of a class.
	 */
	public static ChildProcess start(Class<?> main, String... arguments) {
		return start(List.of("-cp", classPath()), main, arguments);
	}

	/**
	 * The class path of the tests.
	 */
	public static String classPath() {
		return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
	}

	/**
	 * Starts the main method of a class with options that name the class path, too.
	 */
	public static ChildProcess start(List<String> options, Class<?> main, String... arguments) {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
		command.addAll(options);
		command.add(main.getName());
		command.addAll(List.of(arguments));
		return start(new ProcessBuilder(command));
	}

	/**
	 * Starts any program.
	 */
	static ChildProcess start(ProcessBuilder program) {
		try {
			return new ChildProcess(program.redirectErrorStream(true).start());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Writes a line to the input of the process.
	 */
	public void say(String line) {
		try {
			OutputStream input = this.process.getOutputStream();
			input.write((line + "\n").getBytes(StandardCharsets.UTF_8));
			input.flush();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The child does not hear \"" + line + "\", and said: " + output(), ex);
		}
	}

	/**
	 * Waits for a line that begins like this.
	 */
	public String await(String beginning) throws InterruptedException {
		List<String> seen = new ArrayList<>();
		long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
		while (System.nanoTime() - end < 0) {
			String line = this.lines.poll(1, TimeUnit.SECONDS);
			if (line != null) {
				seen.add(line);
				if (line.startsWith(beginning)) {
					return line;
				}
			}
			else if (!this.process.isAlive() && this.lines.isEmpty()) {
				break;
			}
		}
		throw new AssertionError("The child never said \"" + beginning + "\", but: " + seen);
	}

	/**
	 * Stops the process (SIGSTOP) or lets it go on (SIGCONT).
	 */
	public void signal(String signal) throws IOException, InterruptedException {
		int code = new ProcessBuilder("kill", "-" + signal, Long.toString(this.process.pid())).start().waitFor();
		if (code != 0) {
			throw new AssertionError("kill -" + signal + " ended with " + code);
		}
	}

	/** Sends SIGTERM and waits for the end. */
	void terminate() throws InterruptedException {
		this.process.destroy();
		if (!this.process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)) {
			throw new AssertionError("The child did not end");
		}
	}

	public int awaitEnd() throws InterruptedException {
		if (!this.process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)) {
			throw new AssertionError("The child did not end");
		}
		return this.process.exitValue();
	}

	/**
	 * What it has said and nobody waited for.
	 */
	public List<String> output() {
		return List.copyOf(this.lines);
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
	}

	private void read() {
		try (BufferedReader reader = new BufferedReader(
				new InputStreamReader(this.process.getInputStream(), StandardCharsets.UTF_8))) {
			for (String line = reader.readLine(); line != null; line = reader.readLine()) {
				this.lines.add(line);
			}
		}
		catch (IOException ex) {
			this.lines.add("(the output ended: " + ex.getMessage() + ")");
		}
	}

}
