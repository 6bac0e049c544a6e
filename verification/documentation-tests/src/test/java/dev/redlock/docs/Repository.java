package dev.redlock.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The files of this repository.
 */
final class Repository {

	static final Path ROOT = root();

	private static final Set<String> OUTPUT = Set.of(".git", "target", "node_modules");

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

	/**
	 * The files that are no output of a build and not Git's own, which may vanish
	 * meanwhile.
	 */
	static List<Path> files(Predicate<Path> wanted) {
		List<Path> found = new ArrayList<>();
		try {
			Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {

				@Override
				public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
					return OUTPUT.contains(directory.getFileName().toString()) ? FileVisitResult.SKIP_SUBTREE
							: FileVisitResult.CONTINUE;
				}

				@Override
				public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
					if (wanted.test(file)) {
						found.add(file);
					}
					return FileVisitResult.CONTINUE;
				}

			});
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		found.sort(null);
		return found;
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
