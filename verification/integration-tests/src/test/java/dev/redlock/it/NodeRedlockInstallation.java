package dev.redlock.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Assumptions;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The script of {@link NodeRedlockClient} and the packages that it needs, which npm
 * installs in the versions of {@code package-lock.json}.
 */
final class NodeRedlockInstallation {

	private static final Path SOURCES = Path.of("src/test/node");

	private static final Path DIRECTORY = Path.of("target/node-redlock");

	private static final List<String> FILES = List.of("package.json", "package-lock.json", NodeRedlockClient.SCRIPT);

	private static final List<String> NODE = List.of("node", "--version");

	private static final List<String> NPM = List.of("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund",
			"--prefer-offline", "--fetch-retries=1", "--loglevel=error");

	/**
	 * With these codes npm blames package.json and package-lock.json, not the machine.
	 */
	private static final List<String> OUR_MISTAKES = List.of("EUSAGE", "EJSONPARSE", "EINTEGRITY");

	private static final int LONGEST_RUN_SECONDS = 120;

	private NodeRedlockInstallation() {
	}

	/**
	 * Installs the packages. Where that is impossible, prints the reason and skips the
	 * tests, in continuous integration too: the registry may be out of reach there.
	 * @return the directory with the script
	 */
	static Path installOrSkip() throws IOException, InterruptedException {
		Files.createDirectories(DIRECTORY);
		for (String file : FILES) {
			Files.copy(SOURCES.resolve(file), DIRECTORY.resolve(file), StandardCopyOption.REPLACE_EXISTING);
		}
		for (List<String> command : List.of(NODE, NPM)) {
			problem(command).ifPresent((problem) -> {
				assertThat(problem).doesNotContain(OUR_MISTAKES);
				skip("\"" + String.join(" ", command) + "\" " + problem);
			});
		}
		return DIRECTORY;
	}

	private static void skip(String problem) {
		String message = "The tests beside node-redlock are skipped. They need node, npm and a registry of npm"
				+ " packages, but " + problem;
		System.out.println(message);
		Assumptions.abort(message);
	}

	private static Optional<String> problem(List<String> command) throws IOException, InterruptedException {
		Path log = DIRECTORY.resolve(command.get(0) + ".log");
		Process process;
		try {
			process = new ProcessBuilder(command).directory(DIRECTORY.toFile())
				.redirectErrorStream(true)
				.redirectOutput(log.toFile())
				.start();
		}
		catch (IOException ex) {
			return Optional.of("does not start: " + ex.getMessage());
		}
		if (!process.waitFor(LONGEST_RUN_SECONDS, TimeUnit.SECONDS)) {
			process.destroyForcibly();
			return Optional.of("took more than " + LONGEST_RUN_SECONDS + " s");
		}
		if (process.exitValue() == 0) {
			return Optional.empty();
		}
		String firstLine = Files.readString(log).lines().findFirst().orElse("");
		return Optional.of("failed: " + firstLine + " (" + log + " has the rest)");
	}

}
