package dev.redlock.nemesis;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

import dev.redlock.nemesis.Event.Kind;

/**
 * Reads what {@link EdnHistory} wrote, so that the checker can judge it again.
 */
final class EdnReader {

	private final List<Event> events = new ArrayList<>();

	private final Map<String, String> attempts = new HashMap<>();

	private EdnReader() {
	}

	/**
	 * Reads all files of a directory.
	 * @return what the checker needs, in the order of time
	 */
	static List<Event> read(Path directory) {
		EdnReader reader = new EdnReader();
		try (Stream<Path> files = Files.list(directory)) {
			for (Path file : files.filter((path) -> path.toString().endsWith(EdnHistory.SUFFIX)).sorted().toList()) {
				reader.readFile(file);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		reader.events.sort(Comparator.comparingLong(Event::nanos));
		return reader.events;
	}

	private void readFile(Path file) throws IOException {
		String name = file.getFileName().toString().replace(EdnHistory.SUFFIX, "");
		try (BufferedReader lines = new BufferedReader(
				new InputStreamReader(new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
			for (String line = lines.readLine(); line != null; line = lines.readLine()) {
				EdnOp op = EdnOp.parse(line);
				if (name.equals(EdnHistory.FAULTS)) {
					addFault(op);
				}
				else if (name.startsWith(EdnHistory.LOCK)) {
					addRequest(name.substring(EdnHistory.LOCK.length()), op);
				}
				else {
					addNumber(name, op);
				}
			}
		}
	}

	private void addFault(EdnOp op) {
		switch (op.f()) {
			case ":healed" -> add(op, Kind.HEALED, "", "", 0, 0);
			case ":orphan" -> {
				List<?> where = (List<?>) Objects.requireNonNull(op.value());
				add(op, Kind.ORPHAN, String.valueOf(where.get(0)), String.valueOf(where.get(1)), 0, 0);
			}
			default -> add(op, Kind.FAULT, op.f().substring(1).replace('-', '_').toUpperCase(Locale.ROOT),
					String.valueOf(op.value()), 0, 0);
		}
	}

	private void addRequest(String lock, EdnOp op) {
		String key = lock + " " + op.process();
		if (op.is("invoke", "acquire")) {
			this.attempts.put(key, key + "." + this.events.size());
		}
		String attempt = Objects.requireNonNull(this.attempts.get(key));
		if (op.is("invoke", "acquire")) {
			add(op, Kind.TRY, lock, attempt, op.number("ttl"), 0);
		}
		else if (op.has("until")) {
			add(op, Kind.WON, lock, attempt, op.number("value"), op.number("until"));
		}
		else if (op.is("fail", "acquire")) {
			add(op, Kind.FAILED, lock, attempt, 0, 0);
		}
		if (op.has("cause")) {
			switch (String.valueOf(op.fields().get("cause"))) {
				case ":released" -> add(op, Kind.RELEASE, lock, attempt, 0, 0);
				case ":lost", ":expired" -> add(op, Kind.LOST, lock, attempt, 0, 0);
				default -> {
				}
			}
		}
	}

	private void addNumber(String file, EdnOp op) {
		boolean fenced = file.startsWith(EdnHistory.FENCED);
		String lock = file.substring(file.indexOf('-') + 1);
		String key = file + " " + op.process();
		switch (op.type()) {
			case ":invoke" -> {
				this.attempts.put(key, key + "." + this.events.size());
				add(op, Kind.ADD, lock, Objects.requireNonNull(this.attempts.get(key)), 0, 0);
			}
			case ":fail" -> add(op, Kind.REFUSED, lock, Objects.requireNonNull(this.attempts.get(key)), 0, 0);
			case ":ok" -> {
				if (op.value() instanceof List<?> pair) {
					add(op, fenced ? Kind.CHECKED : Kind.UNCHECKED, lock,
							Objects.requireNonNull(this.attempts.get(key)), (Long) pair.get(0), (Long) pair.get(1));
				}
			}
			default -> {
			}
		}
	}

	private void add(EdnOp op, Kind kind, String subject, String attempt, long first, long second) {
		this.events.add(new Event(op.time(), op.process(), kind, subject, attempt, first, second));
	}

}
