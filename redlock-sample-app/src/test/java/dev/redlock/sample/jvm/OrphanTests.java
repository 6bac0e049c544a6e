package dev.redlock.sample.jvm;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.redlock.sample.SampleApplication;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The whole application as a user starts it, and killed as a user may kill it.
 */
class OrphanTests {

	private static final int MOST_SECONDS = 180;

	private static final Pattern ADDRESS = Pattern.compile("See it on (http://localhost:[0-9]+/)");

	private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

	private final Process application = start();

	@AfterEach
	void end() {
		this.application.destroyForcibly();
	}

	@Test
	void nothingIsLeftOfAnApplicationThatWasKilled() throws Exception {
		Matcher address = ADDRESS.matcher(lineWith("See it on"));
		assertThat(address.find()).isTrue();
		press(address.group(1) + "demo/second-jvm?running=true");
		lineWith("JVM 2: INFO  d.r.s.SampleApplication - Started");
		List<ProcessHandle> descendants = this.application.descendants().toList();
		assertThat(descendants).as("the second JVM, five servers and their watchdogs").hasSizeGreaterThan(6);
		this.application.destroyForcibly();
		await().atMost(Duration.ofSeconds(MOST_SECONDS))
			.untilAsserted(() -> assertThat(descendants).noneMatch(ProcessHandle::isAlive));
	}

	private Process start() {
		try {
			Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
					"-Xmx256m", "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
					SampleApplication.class.getName(), "--server.port=0")
				.redirectErrorStream(true)
				.start();
			Thread reader = new Thread(() -> read(process), "application-output");
			reader.setDaemon(true);
			reader.start();
			return process;
		}
		catch (IOException ex) {
			throw new AssertionError(ex);
		}
	}

	private void read(Process process) {
		new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)).lines()
			.forEach(this.lines::add);
	}

	private String lineWith(String part) throws InterruptedException {
		for (String line = next(); line != null; line = next()) {
			if (line.contains(part)) {
				return line;
			}
		}
		throw new AssertionError("The application never said " + part);
	}

	private String next() throws InterruptedException {
		return this.lines.poll(MOST_SECONDS, TimeUnit.SECONDS);
	}

	private static void press(String button) throws IOException, InterruptedException {
		HttpResponse<Void> response = HttpClient.newHttpClient()
			.send(HttpRequest.newBuilder(URI.create(button)).POST(HttpRequest.BodyPublishers.noBody()).build(),
					HttpResponse.BodyHandlers.discarding());
		assertThat(response.statusCode()).isEqualTo(204);
	}

}
