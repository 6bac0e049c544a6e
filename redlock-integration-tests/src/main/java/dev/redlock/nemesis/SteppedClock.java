package dev.redlock.nemesis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The wall clock of one server: by how much it is ahead is what a file says.
 *
 * @param file the file
 * @param executable what to start in place of {@code redis-server}
 */
record SteppedClock(Path file, Path executable) {

	private static final String LAUNCHER = """
			#!/bin/sh
			REDLOCK_CLOCK_FILE='%s' LD_PRELOAD='%s' exec redis-server "$@"
			""";

	static SteppedClock create(Path directory, String server, Path library) {
		SteppedClock clock = new SteppedClock(directory.resolve(server + ".clock"),
				directory.resolve("redis-server-" + server));
		clock.set(Duration.ZERO);
		try {
			Files.writeString(clock.executable, LAUNCHER.formatted(clock.file, library));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		if (!clock.executable.toFile().setExecutable(true)) {
			throw new IllegalStateException(clock.executable + " could not be made executable");
		}
		return clock;
	}

	/**
	 * Makes the clock step to this much ahead of the machine's, or behind.
	 */
	void set(Duration ahead) {
		ByteBuffer micros = ByteBuffer.allocate(Long.BYTES)
			.order(ByteOrder.nativeOrder())
			.putLong(0, TimeUnit.NANOSECONDS.toMicros(ahead.toNanos()));
		// One write of eight bytes in place: the server sees the old number or the new.
		try (FileChannel channel = FileChannel.open(this.file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
			channel.write(micros, 0);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
