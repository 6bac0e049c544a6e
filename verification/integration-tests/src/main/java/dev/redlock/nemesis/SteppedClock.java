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
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * The clocks of one process. A file says by how much they are ahead of the machine's: the
 * wall clock first, then the monotonic clock.
 *
 * @param file the file
 * @param library what is put in front of the C library
 */
record SteppedClock(Path file, Path library) {

	private static final String FILE = "REDLOCK_CLOCK_FILE";

	private static final @Nullable SteppedClock OWN = Optional.ofNullable(System.getenv(FILE))
		.map((file) -> new SteppedClock(Path.of(file), Path.of("")))
		.orElse(null);

	static SteppedClock create(Path directory, String process, Path library) {
		SteppedClock clock = new SteppedClock(directory.resolve(process + ".clock"), library);
		clock.write(0, 0);
		clock.write(0, Long.BYTES);
		return clock;
	}

	/**
	 * What to put before the command of a process that is to have this clock.
	 */
	List<String> prefix() {
		return List.of("env", FILE + "=" + this.file, "LD_PRELOAD=" + this.library);
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
		write(micros(ahead), 0);
	}

	/**
	 * Makes the monotonic clock leave out this much more, which must have passed while
	 * the process was stopped.
	 */
	void hide(Duration passed) {
		write(monotonicMicros() - micros(passed), Long.BYTES);
	}

	/**
	 * Returns the time by the monotonic clock of the machine, which all processes share,
	 * to a process that may have a clock like this one.
	 */
	static long machineNanos() {
		if (OWN == null) {
			return System.nanoTime();
		}
		long micros;
		long nanos;
		do {
			// The process may be stopped in between.
			micros = OWN.monotonicMicros();
			nanos = System.nanoTime();
		}
		while (micros != OWN.monotonicMicros());
		return nanos - TimeUnit.MICROSECONDS.toNanos(micros);
	}

	private long monotonicMicros() {
		try (FileChannel channel = FileChannel.open(this.file, StandardOpenOption.READ)) {
			ByteBuffer micros = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
			channel.read(micros, Long.BYTES);
			return micros.getLong(0);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static long micros(Duration duration) {
		return TimeUnit.NANOSECONDS.toMicros(duration.toNanos());
	}

	private void write(long aheadMicros, long position) {
		ByteBuffer micros = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder()).putLong(0, aheadMicros);
		// One write of eight bytes in place: the server sees the old number or the new.
		try (FileChannel channel = FileChannel.open(this.file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
			channel.write(micros, position);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
