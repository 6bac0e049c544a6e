package dev.redlock.nemesis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The clocks of one process. A file says by how much they are ahead of the machine's: the
 * wall clock first, then the monotonic clock.
 *
 * @param file the file
 * @param library what is put in front of the C library
 */
record SteppedClock(Path file, Path library) {

	static SteppedClock create(Path directory, String process, Path library) {
		SteppedClock clock = new SteppedClock(directory.resolve(process + ".clock"), library);
		clock.set(Duration.ZERO);
		clock.hide(Duration.ZERO);
		return clock;
	}

	/**
	 * What to put before the command of a process that is to have this clock.
	 */
	List<String> prefix() {
		return List.of("env", "REDLOCK_CLOCK_FILE=" + this.file, "LD_PRELOAD=" + this.library);
	}

	/**
	 * What to start in place of {@code redis-server}.
	 */
	Path executable() {
		return Launcher.write(Path.of(this.file + ".redis-server"), prefix(), "");
	}

	/**
	 * Makes the wall clock step to this much ahead of the machine's, or behind.
	 */
	void set(Duration ahead) {
		write(ahead, 0);
	}

	/**
	 * Makes the monotonic clock leave out this much, which must have passed while the
	 * process was stopped.
	 */
	void hide(Duration passed) {
		write(passed.negated(), Long.BYTES);
	}

	private void write(Duration ahead, long position) {
		ByteBuffer micros = ByteBuffer.allocate(Long.BYTES)
			.order(ByteOrder.nativeOrder())
			.putLong(0, TimeUnit.NANOSECONDS.toMicros(ahead.toNanos()));
		// One write of eight bytes in place: the server sees the old number or the new.
		try (FileChannel channel = FileChannel.open(this.file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
			channel.write(micros, position);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
