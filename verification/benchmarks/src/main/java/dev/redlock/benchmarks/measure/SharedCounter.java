package dev.redlock.benchmarks.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A counter in a file that several processes have in memory. It is read, and then
 * written: only a lock keeps it exact.
 */
public final class SharedCounter {

	private final Path file;

	private final MappedByteBuffer memory;

	private SharedCounter(Path file) throws IOException {
		this.file = file;
		try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
			this.memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, Long.BYTES);
		}
	}

	/**
	 * Creates a counter at zero.
	 * @return the counter
	 */
	public static SharedCounter create() {
		try {
			Path file = Files.createTempFile("redlock-counter", "");
			file.toFile().deleteOnExit();
			return new SharedCounter(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("No file could be made for a counter", ex);
		}
	}

	/**
	 * Opens the counter of another process.
	 * @param file its file
	 * @return the counter
	 */
	public static SharedCounter open(Path file) {
		try {
			return new SharedCounter(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Where it is.
	 * @return its file
	 */
	public Path file() {
		return this.file;
	}

	/**
	 * Adds one, and loses it if somebody else does the same at the same time.
	 */
	public void increment() {
		this.memory.putLong(0, this.memory.getLong(0) + 1);
	}

	/**
	 * What it has come to.
	 * @return the count
	 */
	public long get() {
		return this.memory.getLong(0);
	}

}
