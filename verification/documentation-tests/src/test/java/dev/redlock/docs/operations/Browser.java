package dev.redlock.docs.operations;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Asks an application over HTTP, and keeps what it is told to keep under
 * {@code target/operations}, where the pages of documentation have their examples from.
 */
final class Browser {

	private static final Path KEPT = Path.of("target/operations");

	private final HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

	private final String base;

	Browser(int port) {
		this.base = "http://127.0.0.1:" + port;
	}

	HttpResponse<String> get(String path) {
		return send("GET", path);
	}

	HttpResponse<String> send(String method, String path) {
		HttpRequest request = HttpRequest.newBuilder(URI.create(this.base + path))
			.timeout(Duration.ofSeconds(30))
			.method(method, BodyPublishers.noBody())
			.build();
		try {
			return this.client.send(request, BodyHandlers.ofString());
		}
		catch (IOException ex) {
			throw new IllegalStateException(method + " " + path + " failed", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(method + " " + path + " was interrupted", ex);
		}
	}

	static HttpResponse<String> keep(String name, HttpResponse<String> response) throws IOException {
		Files.createDirectories(KEPT);
		Files.writeString(KEPT.resolve(name), response.request().method() + " " + response.request().uri().getPath()
				+ " -> " + response.statusCode() + "\n" + response.body() + "\n");
		return response;
	}

}
