package dev.redlock.nemesis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Scripts that stand for {@code redis-server}.
 */
final class Launcher {

	private Launcher() {
	}

	/**
	 * Writes a script that becomes the server: it keeps the number of its process.
	 * @param file where to put it
	 * @param prefix what to put before the server, without characters that are special in
	 * a shell
	 * @param options what to put behind its arguments
	 * @return the file
	 */
	static Path write(Path file, List<String> prefix, String options) {
		try {
			Files.writeString(file,
					"#!/bin/sh\nexec %s %s \"$@\" %s\n".formatted(String.join(" ", prefix), server(), options));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		if (!file.toFile().setExecutable(true)) {
			throw new IllegalStateException(file + " could not be made executable");
		}
		return file;
	}

	/**
	 * The server that the tests are told to run, or the one on the path.
	 */
	private static String server() {
		String named = System.getProperty("redlock.test.redis", "");
		return named.contains("/") ? named : "redis-server";
	}

}
