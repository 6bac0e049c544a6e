package dev.redlock.sample.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import com.jayway.jsonpath.JsonPath;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
class DemoControllerTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private final HttpClient client = HttpClient.newHttpClient();

	private final String base;

	DemoControllerTests(@Value("${local.server.port}") int port) {
		this.base = "http://localhost:" + port + "/demo/";
	}

	@AfterEach
	void endSale() throws Exception {
		press("sale/reset?units=300");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			sale/open?locked=true&buyers=99&units=5  | 400 | buyers is a number from 2 to 16, not 99.
			sale/open?locked=true&buyers=4&units=0   | 400 | units is a number from 1 to 10000, not 0.
			sale/open?locked=true&buyers=4           | 400 | units
			sale/open?locked=maybe&buyers=4&units=5  | 400 | locked
			nodes/z/kill                             | 400 | No node is named z
			nodes/a/eat                              | 400 | kill, freeze, restart, cut or heal
			holder/pause                             | 409 | Start a sale with the lock first
			""")
	void whatCannotBeDoneIsExplained(String path, int status, String why) throws Exception {
		HttpResponse<String> response = press(path);
		assertThat(response.statusCode()).isEqualTo(status);
		assertThat(JsonPath.<String>read(response.body(), "$.detail")).contains(why);
	}

	@Test
	void anotherPageCannotPressThem() throws Exception {
		HttpResponse<String> response = this.client.send(
				post("sale/close").header("Sec-Fetch-Site", "cross-site").build(),
				HttpResponse.BodyHandlers.ofString());
		assertThat(response.statusCode()).isEqualTo(403);
		assertThat(response.body()).contains("Another page cannot run the demo.");
	}

	@Test
	void theStreamTellsHowThingsStandAndGoesOnWhereItBrokeOff() throws Exception {
		press("sale/open?locked=true&buyers=2&units=5000");
		String position;
		try (Stream first = listen("")) {
			assertThat(first.next("$.state.nodes.length()", Integer.class)).isEqualTo(5);
			position = first.id;
		}
		try (Stream second = listen(position)) {
			String chapter = second.next("$.chapter", String.class);
			assertThat(position).startsWith(chapter + "-");
			assertThat(JsonPath.<Integer>read(second.data, "$.notes.length()")).isZero();
		}
		press("sale/reset?units=7");
		try (Stream third = listen(position)) {
			assertThat(third.next("$.notes[0].text", String.class)).contains("7 units");
			assertThat(JsonPath.<Integer>read(third.data, "$.state.stock.left")).isEqualTo(7);
			assertThat(position).doesNotStartWith(JsonPath.<String>read(third.data, "$.chapter") + "-");
		}
	}

	private HttpRequest.Builder post(String path) {
		return HttpRequest.newBuilder(URI.create(this.base + path))
			.timeout(PATIENCE)
			.POST(HttpRequest.BodyPublishers.noBody());
	}

	private HttpResponse<String> press(String path) throws IOException, InterruptedException {
		return this.client.send(post(path).build(), HttpResponse.BodyHandlers.ofString());
	}

	private Stream listen(String lastEventId) throws IOException, InterruptedException {
		HttpRequest request = HttpRequest.newBuilder(URI.create(this.base + "events"))
			.timeout(PATIENCE)
			.header("Last-Event-ID", lastEventId)
			.build();
		HttpResponse<InputStream> response = this.client.send(request, HttpResponse.BodyHandlers.ofInputStream());
		assertThat(response.statusCode()).isEqualTo(200);
		return new Stream(new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8)));
	}

	/**
	 * An open stream of frames.
	 */
	private static final class Stream implements AutoCloseable {

		private final BufferedReader lines;

		private String id = "";

		private String data = "";

		Stream(BufferedReader lines) {
			this.lines = lines;
		}

		<T> T next(String path, Class<T> type) throws IOException {
			for (String line = this.lines.readLine(); line != null && !line.isEmpty(); line = this.lines.readLine()) {
				if (line.startsWith("id:")) {
					this.id = line.substring(3);
				}
				if (line.startsWith("data:")) {
					this.data = line.substring(5);
				}
			}
			return type.cast(JsonPath.read(this.data, path));
		}

		@Override
		public void close() throws IOException {
			this.lines.close();
		}

	}

}
