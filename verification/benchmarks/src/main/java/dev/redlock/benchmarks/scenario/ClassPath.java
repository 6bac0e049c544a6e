package dev.redlock.benchmarks.scenario;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

import org.springframework.util.FileSystemUtils;

/**
 * The class path of this process as child processes can have it: an executable jar is
 * unpacked for them, so that they do not pay for its nesting.
 *
 * @param entries jars and directories
 */
public record ClassPath(List<String> entries) {

	private static final String CLASSES = "BOOT-INF/classes/";

	private static final String METADATA = "META-INF/";

	private static final String LIBRARIES = "BOOT-INF/lib/";

	public static ClassPath ofThisProcess() {
		return Holder.INSTANCE;
	}

	private static ClassPath read() {
		String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
		List<String> entries = Arrays.asList(path.split(File.pathSeparator));
		try {
			return (entries.size() == 1 && entries.get(0).endsWith(".jar")) ? unpack(Path.of(entries.get(0)))
					: new ClassPath(entries);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(path + " could not be unpacked", ex);
		}
	}

	private static ClassPath unpack(Path archive) throws IOException {
		Path directory = Files.createTempDirectory("redlock-benchmarks-");
		Runtime.getRuntime().addShutdownHook(new Thread(() -> FileSystemUtils.deleteRecursively(directory.toFile())));
		Set<String> entries = new LinkedHashSet<>();
		entries.add(directory.resolve(CLASSES).toString());
		try (JarFile jar = new JarFile(archive.toFile())) {
			for (JarEntry entry : (Iterable<JarEntry>) jar.stream()::iterator) {
				String name = entry.getName();
				if (name.startsWith(METADATA) && !name.equals(JarFile.MANIFEST_NAME)) {
					// Packaging has taken it out of the directory of the classes.
					copy(jar, entry, directory.resolve(CLASSES), name);
				}
				else if (name.startsWith(CLASSES)) {
					copy(jar, entry, directory, name);
				}
				else if (name.startsWith(LIBRARIES) && !entry.isDirectory()) {
					entries.add(copy(jar, entry, directory, name).toString());
				}
			}
		}
		return new ClassPath(List.copyOf(entries));
	}

	private static Path copy(JarFile jar, JarEntry entry, Path directory, String name) throws IOException {
		Path file = directory.resolve(name).normalize();
		if (!file.startsWith(directory)) {
			throw new IOException("An entry outside of its archive: " + name);
		}
		if (entry.isDirectory()) {
			return Files.createDirectories(file);
		}
		Files.createDirectories(file.getParent());
		try (InputStream content = jar.getInputStream(entry)) {
			Files.copy(content, file);
		}
		return file;
	}

	private static final class Holder {

		private static final ClassPath INSTANCE = read();

	}

}
