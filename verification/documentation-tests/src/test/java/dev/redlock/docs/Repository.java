package dev.redlock.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The files of this repository.
 */
final class Repository {

	static final Path ROOT = root();

	private Repository() {
	}

	/**
	 * All pages for readers of the repository.
	 */
	static List<MarkdownPage> pages() {
		return files((path) -> path.toString().endsWith(".md")).stream().map(MarkdownPage::read).toList();
	}

	/**
	 * All Java sources of tests, in all modules.
	 */
	static List<Path> testSources() {
		return files((path) -> path.toString().endsWith(".java") && path.toString().contains("src/test/java"));
	}

	static List<Path> files(Predicate<Path> wanted) {
		try (Stream<Path> paths = Files.walk(ROOT)) {
			return paths.filter((path) -> !isOutput(ROOT.relativize(path).toString()))
				.filter(wanted)
				.filter(Files::isRegularFile)
				.sorted()
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static String relative(Path path) {
		return ROOT.relativize(path.toAbsolutePath().normalize()).toString().replace('\\', '/');
	}

	static String read(Path path) {
		try {
			return Files.readString(path);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static void write(Path path, String text) {
		try {
			Files.writeString(path, text);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Whether pages are to be brought up to date instead of checked.
	 */
	static boolean isWriting() {
		return Boolean.getBoolean("redlock.docs.write");
	}

	/**
	 * What to run so that generated parts of pages are as they should be.
	 */
	static String howToWrite(Class<?> test) {
		return "./mvnw -q -pl verification/documentation-tests -am test -Dtest=" + test.getSimpleName()
				+ " -Dsurefire.failIfNoSpecifiedTests=false -Dredlock.docs.write=true";
	}

	private static boolean isOutput(String relative) {
		return relative.startsWith(".git/") || relative.contains("target/") || relative.contains("node_modules/");
	}

	private static Path root() {
		Path path = Path.of("").toAbsolutePath();
		while (path != null && !Files.exists(path.resolve("mvnw"))) {
			path = path.getParent();
		}
		if (path == null) {
			throw new IllegalStateException("Run the tests inside of the repository");
		}
		return path;
	}

}
