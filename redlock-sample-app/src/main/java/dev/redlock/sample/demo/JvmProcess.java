package dev.redlock.sample.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process of another JVM, and the two pipes to it. It ends when its input ends.
 */
final class JvmProcess {

	private static final Logger logger = LoggerFactory.getLogger(JvmProcess.class);

	private final Process process;

	private final Writer input;

	private final Thread reader;

	private final ReentrantLock writing = new ReentrantLock();

	private JvmProcess(Process process, Consumer<String> lines, Runnable ended) {
		this.process = process;
		this.input = process.outputWriter(StandardCharsets.UTF_8);
		this.reader = new Thread(() -> read(lines, ended), "second-jvm");
		this.reader.setDaemon(true);
	}

	/**
	 * Starts a JVM.
	 * @param command the command line
	 * @param environment additional variables of the environment
	 * @param lines gets each line that the JVM prints
	 * @param ended runs when the JVM has ended and printed its last line
	 */
	static JvmProcess start(List<String> command, Map<String, String> environment, Consumer<String> lines,
			Runnable ended) {
		ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
		builder.environment().putAll(environment);
		try {
			JvmProcess jvm = new JvmProcess(builder.start(), lines, ended);
			jvm.reader.start();
			return jvm;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The second JVM could not be started", ex);
		}
	}

	long pid() {
		return this.process.pid();
	}

	/**
	 * Sends a line. Does nothing if the JVM has ended, because {@code ended} tells that.
	 */
	void send(String line) {
		this.writing.lock();
		try {
			this.input.write(line + "\n");
			this.input.flush();
		}
		catch (IOException ex) {
			logger.debug("The second JVM does not read its input", ex);
		}
		finally {
			this.writing.unlock();
		}
	}

	/**
	 * Closes the input of the JVM, so that it releases its locks and ends. If that takes
	 * too long, it is killed. Waits until its end was told, so that a JVM that is started
	 * next is not taken for this one.
	 */
	void end(Duration within) {
		try {
			this.input.close();
			if (!this.process.waitFor(within.toNanos(), TimeUnit.NANOSECONDS)) {
				this.process.destroyForcibly();
			}
			this.reader.join(within.toMillis());
			return;
		}
		catch (IOException ex) {
			logger.debug("The input of the second JVM could not be closed", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		this.process.destroyForcibly();
	}

	private void read(Consumer<String> lines, Runnable ended) {
		try (BufferedReader output = new BufferedReader(
				new InputStreamReader(this.process.getInputStream(), StandardCharsets.UTF_8))) {
			output.lines().forEach(lines);
		}
		catch (IOException | UncheckedIOException ex) {
			logger.debug("The output of the second JVM ended", ex);
		}
		finally {
			ended.run();
		}
	}

}
