package dev.redlock.benchmarks.scenario;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;

import org.springframework.util.FileSystemUtils;

/**
 * The client of another library, which asks again and again and announces nothing:
 * node-redlock, installed by npm into a directory for this run.
 */
final class NodeRedlock implements AutoCloseable {

	private static final String CLIENT = "node-redlock-client.cjs";

	private static final List<String> INSTALL = List.of("npm", "install", "--no-audit", "--no-fund", "--silent",
			"redlock@5.0.0-beta.2", "ioredis@5");

	private final Path directory;

	private NodeRedlock(Path directory) {
		this.directory = directory;
	}

	static NodeRedlock install() {
		try {
			Path directory = Files.createTempDirectory("redlock-benchmarks-node-");
			NodeRedlock installed = new NodeRedlock(directory);
			try (InputStream client = NodeRedlock.class.getResourceAsStream(CLIENT)) {
				Files.copy(Objects.requireNonNull(client), directory.resolve(CLIENT));
			}
			installed.run(INSTALL);
			return installed;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("node-redlock was not installed", ex);
		}
	}

	/**
	 * Runs the client beside others.
	 * @return completes with what it had
	 */
	CompletableFuture<Share> start(List<Integer> ports, String key, long holdMillis, long startAtMillis, long millis) {
		List<String> command = List.of("node", CLIENT,
				ports.stream().map(String::valueOf).collect(Collectors.joining(",")), key, Long.toString(holdMillis),
				Long.toString(startAtMillis), Long.toString(millis));
		return CompletableFuture.supplyAsync(() -> {
			try {
				return Share.decode(run(command));
			}
			catch (IOException ex) {
				throw new CompletionException(ex);
			}
		});
	}

	@Override
	public void close() {
		FileSystemUtils.deleteRecursively(this.directory.toFile());
	}

	private String run(List<String> command) throws IOException {
		Process process = new ProcessBuilder(command).directory(this.directory.toFile())
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
		String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
		try {
			if (process.waitFor() != 0) {
				throw new IOException(command.get(0) + " has failed: " + said);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IOException("Interrupted while " + command.get(0) + " ran", ex);
		}
		return said;
	}

}
