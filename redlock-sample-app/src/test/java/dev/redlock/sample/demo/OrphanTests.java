package dev.redlock.sample.demo;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;

import dev.redlock.sample.ApplicationProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The whole application as a user starts it, and killed as a user may kill it.
 */
@Tag("slow")
@Timeout(400)
class OrphanTests {

	private static final Duration PATIENCE = Duration.ofSeconds(180);

	@Test
	void nothingIsLeftOfAnApplicationThatWasKilled() throws Exception {
		try (ApplicationProcess application = ApplicationProcess.start()) {
			press(application.address() + "demo/second-jvm?running=true");
			application.lineWith("JVM 2: INFO  d.r.s.SampleApplication - Started");
			List<ProcessHandle> descendants = application.handle().descendants().toList();
			assertThat(descendants).as("the second JVM, five servers and their watchdogs").hasSizeGreaterThan(6);
			application.handle().destroyForcibly();
			await().atMost(PATIENCE).untilAsserted(() -> assertThat(descendants).noneMatch(ProcessHandle::isAlive));
		}
	}

	private static void press(String button) throws IOException, InterruptedException {
		HttpResponse<Void> response = HttpClient.newHttpClient()
			.send(HttpRequest.newBuilder(URI.create(button)).POST(HttpRequest.BodyPublishers.noBody()).build(),
					HttpResponse.BodyHandlers.discarding());
		assertThat(response.statusCode()).isEqualTo(204);
	}

}
