package dev.redlock.sample;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The whole application as a user starts it, in a process of its own.
 */
public final class ApplicationProcess implements AutoCloseable {

	private static final int MOST_SECONDS = 180;

	private static final Pattern ADDRESS = Pattern.compile("The page is on (http://localhost:[0-9]+)");

	private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

	private final Process process;

	private ApplicationProcess(Process process) {
		this.process = process;
		Thread reader = new Thread(this::read, "application-output");
		reader.setDaemon(true);
		reader.start();
	}

	public static ApplicationProcess start() throws IOException {
		return new ApplicationProcess(
				new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m",
						"-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
						SampleApplication.class.getName(), "--server.port=0")
					.redirectErrorStream(true)
					.start());
	}

	/**
	 * Waits until the page can be opened.
	 */
	public String address() throws InterruptedException {
		Matcher address = ADDRESS.matcher(lineWith("The page is on"));
		assertThat(address.find()).isTrue();
		return address.group(1) + "/";
	}

	public String lineWith(String part) throws InterruptedException {
		for (String line = next(); line != null; line = next()) {
			if (line.contains(part)) {
				return line;
			}
		}
		throw new AssertionError("The application never said " + part);
	}

	public ProcessHandle handle() {
		return this.process.toHandle();
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
	}

	private void read() {
		new BufferedReader(new InputStreamReader(this.process.getInputStream(), StandardCharsets.UTF_8)).lines()
			.forEach(this.lines::add);
	}

	private String next() throws InterruptedException {
		return this.lines.poll(MOST_SECONDS, TimeUnit.SECONDS);
	}

}
