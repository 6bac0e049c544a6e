package dev.redlock.nemesis;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * What one process wrote down, a line for each event, handed to the system at once so
 * that it outlives the process. Thread-safe.
 */
final class History implements AutoCloseable {

	private static final String SUFFIX = ".history";

	private final ReentrantLock lock = new ReentrantLock();

	private final String source;

	private final BufferedWriter writer;

	private History(String source, BufferedWriter writer) {
		this.source = source;
		this.writer = writer;
	}

	static History open(Path directory, String source) {
		try {
			return new History(source, Files.newBufferedWriter(directory.resolve(source + SUFFIX)));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * All events of all processes, in the order of their time.
	 */
	static List<Event> read(Path directory) {
		List<Event> events = new ArrayList<>();
		try (Stream<Path> files = Files.list(directory)) {
			for (Path file : files.filter((path) -> path.toString().endsWith(SUFFIX)).sorted().toList()) {
				Files.readAllLines(file).forEach((line) -> events.add(Event.parse(line)));
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		// Stable: events of one process and one moment stay in the order of their lines.
		events.sort(Comparator.comparingLong(Event::nanos));
		return events;
	}

	void note(Event.Kind kind, String subject, String attempt) {
		note(kind, subject, attempt, 0, 0);
	}

	void note(Event.Kind kind, String subject, String attempt, long first, long second) {
		this.lock.lock();
		try {
			this.writer.write(
					new Event(SteppedClock.machineNanos(), this.source, kind, subject, attempt, first, second).line());
			this.writer.newLine();
			this.writer.flush();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public void close() {
		try {
			this.writer.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
