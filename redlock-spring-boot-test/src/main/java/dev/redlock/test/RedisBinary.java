package dev.redlock.test;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import redis.embedded.RedisExecProvider;

/**
 * Finds the {@code redis-server} on the PATH, or the embedded binary if the PATH has
 * none.
 */
final class RedisBinary {

	/**
	 * The system property that chooses the {@code redis-server}: the value
	 * {@code process} (from the PATH), the value {@code embedded} (from this module), or
	 * the path of a file.
	 */
	static final String PROPERTY = "redlock.test.redis";

	private static final String SERVER = "redis-server";

	private RedisBinary() {
	}

	static Path locate() {
		return locate(System.getProperty(PROPERTY), System.getenv("PATH"));
	}

	static Path locate(@Nullable String forced, @Nullable String searchPath) {
		if (File.separatorChar != '/') {
			throw new IllegalStateException(
					"The Redis nodes for tests are processes of Linux or macOS. On Windows, run the tests in WSL.");
		}
		if (forced == null || forced.isBlank()) {
			return find(SERVER, searchPath).orElseGet(RedisBinary::embedded);
		}
		if (forced.contains("/")) {
			return named(Path.of(forced.trim()));
		}
		return switch (forced.trim().toLowerCase(Locale.ROOT)) {
			case "process" -> find(SERVER, searchPath).orElseThrow(() -> new IllegalStateException(
					"-D" + PROPERTY + "=process asks for the redis-server of this machine, and there is none on the"
							+ " PATH. Install Redis, or leave the property out to use the embedded binary."));
			case "embedded" -> embedded();
			case "docker" -> throw new IllegalStateException("-D" + PROPERTY + "=docker: embedded nodes are processes"
					+ " of this machine. For nodes in containers use RedlockContainers instead.");
			default -> throw new IllegalStateException(
					"-D" + PROPERTY + " must be process, embedded or the path of a server, not '" + forced + "'.");
		};
	}

	private static Path named(Path server) {
		if (!Files.isRegularFile(server) || !Files.isExecutable(server)) {
			throw new IllegalStateException("-D" + PROPERTY + "=" + server + " names no program that can be run.");
		}
		return server.toAbsolutePath();
	}

	static Optional<Path> find(String command, @Nullable String searchPath) {
		if (searchPath == null) {
			return Optional.empty();
		}
		return Pattern.compile(File.pathSeparator, Pattern.LITERAL)
			.splitAsStream(searchPath)
			.filter((directory) -> !directory.isBlank())
			.map((directory) -> Path.of(directory, command))
			.filter(Files::isExecutable)
			.filter(Files::isRegularFile)
			.findFirst();
	}

	static String embeddedName(String operatingSystem, String architecture) {
		String os = operatingSystem.startsWith("Mac") ? "darwin" : "linux";
		String arch = switch (architecture) {
			case "amd64", "x86_64" -> "amd64";
			case "aarch64", "arm64" -> "arm64";
			default -> architecture;
		};
		return "redis-server-" + RedisExecProvider.redisVersion + "-" + os + "-" + arch;
	}

	static Path embedded(String name) {
		if (RedisBinary.class.getResource("/" + name) == null) {
			throw new IllegalStateException("There is no embedded Redis for this machine (" + name
					+ "). Install redis-server so that it is on the PATH.");
		}
		return Extracted.EXECUTABLE;
	}

	private static Path embedded() {
		return embedded(nameForThisMachine());
	}

	private static String nameForThisMachine() {
		return embeddedName(System.getProperty("os.name"), System.getProperty("os.arch"));
	}

	/**
	 * Extracts the embedded {@code redis-server} to a file, only if a test needs the
	 * file.
	 */
	private static final class Extracted {

		private static final Path EXECUTABLE = extract(nameForThisMachine());

		private static Path extract(String name) {
			try (InputStream binary = RedisBinary.class.getResourceAsStream("/" + name)) {
				Path file = Files.createTempFile(name, "");
				file.toFile().deleteOnExit();
				Files.copy(Objects.requireNonNull(binary), file, StandardCopyOption.REPLACE_EXISTING);
				if (!file.toFile().setExecutable(true)) {
					throw new IllegalStateException(file + " could not be made executable");
				}
				return file;
			}
			catch (IOException ex) {
				throw new UncheckedIOException("The embedded redis-server could not be written to a file", ex);
			}
		}

	}

}
