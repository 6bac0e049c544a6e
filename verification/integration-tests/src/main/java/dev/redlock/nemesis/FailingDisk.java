package dev.redlock.nemesis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import dev.redlock.test.RedisNode;

/**
 * The disk of one server. A process that is killed leaves all its writes to the page
 * cache of the machine; a power cut leaves only those that were synced.
 *
 * @param synced where the server notes the synced lengths of its files
 * @param library what is put in front of the C library
 */
record FailingDisk(Path synced, Path library) {

	static FailingDisk create(Path directory, String server, Path library) {
		try {
			return new FailingDisk(Files.createDirectory(directory.resolve(server + ".disk")), library);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * What to start in place of {@code redis-server}.
	 * @param options what to put behind its arguments
	 */
	Path executable(String options) {
		List<String> prefix = List.of("env", "REDLOCK_DISK=" + this.synced, "LD_PRELOAD=" + this.library);
		return Launcher.write(Path.of(this.synced + ".redis-server"), prefix, options);
	}

	/**
	 * From now on the disk says that it has written everything, and writes nothing.
	 */
	void lie() {
		try {
			Files.createFile(this.synced.resolve("lies"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Cuts the power of a durable server, and starts it again with what is on the disk.
	 * @param torn which part of the writes that were not synced is on the disk all the
	 * same, from 0 to 1
	 * @return how many bytes were lost
	 */
	long cutPower(RedisNode server, double torn) {
		List<?> setting = (List<?>) Objects.requireNonNull(server.command("CONFIG", "GET", "dir"));
		// A stopped process writes no more, so this is the moment of the power cut.
		server.freeze();
		long lost = 0;
		try (Stream<Path> files = Files.list(Path.of(String.valueOf(setting.get(1)), "appendonlydir"))) {
			for (Path file : files.toList()) {
				lost += lose(file, torn);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		server.restartWithData();
		return lost;
	}

	private long lose(Path file, double torn) throws IOException {
		long size = Files.size(file);
		long synced = Math.min(size, syncedLength(file));
		long kept = synced + (long) ((size - synced) * torn);
		try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
			channel.truncate(kept);
		}
		return size - kept;
	}

	private long syncedLength(Path file) throws IOException {
		Path note = this.synced.resolve(String.valueOf(Files.getAttribute(file, "unix:ino")));
		return Files.exists(note) ? ByteBuffer.wrap(Files.readAllBytes(note)).order(ByteOrder.nativeOrder()).getLong()
				: 0;
	}

}
