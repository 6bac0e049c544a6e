package dev.redlock.nemesis;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;

import dev.redlock.nemesis.EdnOp.Keyword;
import dev.redlock.nemesis.Event.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Writes a history in the form of Jepsen, so that the checkers of others can judge it.
 * {@code docs/project/evidence/README.md} describes the files.
 */
final class EdnHistory {

	static final String SUFFIX = ".edn.gz";

	static final String LOCK = "lock-";

	static final String FENCED = "fenced-";

	static final String UNFENCED = "unfenced-";

	static final String FAULTS = "faults";

	/**
	 * What happens at one moment is put into the order that forbids least: an operation
	 * begins before another one ends. A request comes after the release of the same
	 * process, and what never ended comes last.
	 */
	private static final Comparator<EdnOp> IN_ORDER = Comparator.comparingLong(EdnOp::time)
		.thenComparing((op) -> op.type().equals(":info"))
		.thenComparing((op) -> op.is("invoke", "acquire"))
		.thenComparing((op) -> !op.is("invoke", "cas"))
		.thenComparing((op) -> !op.is("invoke", "release"));

	private final Map<String, List<EdnOp>> files = new TreeMap<>();

	private final Map<String, Long> processes = new HashMap<>();

	private final long start;

	private final long end;

	private EdnHistory(List<Event> events) {
		this.start = events.get(0).nanos();
		this.end = events.get(events.size() - 1).nanos();
		events.stream()
			.filter((event) -> event.kind() == Kind.TRY)
			.map(EdnHistory::thread)
			.distinct()
			.sorted()
			.forEach((thread) -> this.processes.put(thread, (long) this.processes.size()));
	}

	/**
	 * Writes a file for each lock, for each of its two numbers, and for the faults.
	 * @param events in the order of their time
	 * @param directory where to put the files
	 */
	static void write(List<Event> events, Path directory) {
		EdnHistory history = new EdnHistory(events);
		Map<String, Map<Kind, Event>> attempts = new TreeMap<>();
		for (Event event : events) {
			switch (event.kind()) {
				case FAULT, HEALED, ORPHAN -> history.addFault(event);
				default -> attempts.computeIfAbsent(event.attempt(), (attempt) -> new EnumMap<>(Kind.class))
					.put(event.kind(), event);
			}
		}
		Map<String, Holding> holdings = new HashMap<>();
		Holding.of(events).forEach((holding) -> holdings.put(holding.attempt(), holding));
		attempts.forEach((name, attempt) -> history.addAttempt(attempt, holdings.get(name)));
		try {
			Files.createDirectories(directory);
			for (Map.Entry<String, List<EdnOp>> file : history.files.entrySet()) {
				writeFile(file.getValue(), directory.resolve(file.getKey() + SUFFIX));
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void addFault(Event event) {
		List<Object> value = List.of(event.subject(), event.attempt());
		String f = switch (event.kind()) {
			case FAULT -> keyword(Fault.valueOf(event.subject()));
			default -> event.kind().name().toLowerCase(Locale.ROOT);
		};
		add(FAULTS, EdnOp.of(new Keyword("nemesis"), "info", f, (event.kind() == Kind.ORPHAN) ? value : event.attempt(),
				since(event.nanos())));
	}

	static String keyword(Fault fault) {
		return fault.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	private void addAttempt(Map<Kind, Event> attempt, @Nullable Holding holding) {
		Event tried = Objects.requireNonNull(attempt.get(Kind.TRY));
		String file = LOCK + tried.subject();
		add(file, op(tried, "invoke", "acquire", null).with("ttl", tried.first()));
		Event failed = attempt.get(Kind.FAILED);
		if (failed != null) {
			add(file, op(failed, "fail", "acquire", null));
		}
		else if (holding == null) {
			add(file, op(tried, "info", "acquire", null).with("time", since(this.end)));
		}
		else {
			addHolding(file, attempt, holding);
			addNumber(FENCED, attempt, Kind.CHECKED);
			addNumber(UNFENCED, attempt, Kind.UNCHECKED);
		}
	}

	/**
	 * A lock is released when its holder no longer believes in it, whatever ended that.
	 * One that had ended before its client could look was not acquired.
	 */
	private void addHolding(String file, Map<Kind, Event> attempt, Holding holding) {
		Event won = Objects.requireNonNull(attempt.get(Kind.WON));
		Event released = attempt.get(Kind.RELEASED);
		String cause = cause(attempt, holding);
		EdnOp acquired = op(won, holding.isBelieved() ? "ok" : "fail", "acquire", holding.fence()).with("until",
				since(won.second()));
		if (!holding.isBelieved()) {
			add(file, acquired.with("cause", new Keyword(cause)));
			return;
		}
		add(file, acquired);
		long ended = since(holding.believedUntilNanos());
		add(file, op(won, "invoke", "release", null).with("time", ended).with("cause", new Keyword(cause)));
		if (!"released".equals(cause)) {
			add(file, op(won, "ok", "release", null).with("time", ended));
		}
		else if (released != null) {
			add(file, op(released, "ok", "release", released.first()));
		}
		else {
			add(file, op(won, "info", "release", null).with("time", since(this.end)));
		}
	}

	private static String cause(Map<Kind, Event> attempt, Holding holding) {
		Event release = attempt.get(Kind.RELEASE);
		Event lost = attempt.get(Kind.LOST);
		if (endsAt(holding, release)) {
			return "released";
		}
		return endsAt(holding, lost) ? "lost" : (release != null || lost != null) ? "expired" : "untold";
	}

	private static boolean endsAt(Holding holding, @Nullable Event event) {
		return event != null && event.nanos() == holding.believedUntilNanos();
	}

	/**
	 * To read, and to write one more, is one operation: it compares and sets.
	 */
	private void addNumber(String prefix, Map<Kind, Event> attempt, Kind kind) {
		Event begun = attempt.get(Kind.ADD);
		if (begun == null || (kind == Kind.CHECKED && Objects.requireNonNull(attempt.get(Kind.WON)).first() == 0)) {
			return;
		}
		String file = prefix + begun.subject();
		if (!this.files.containsKey(file)) {
			add(file, op(begun, "invoke", "write", 0L).with("time", 0L));
			add(file, op(begun, "ok", "write", 0L).with("time", 0L));
		}
		add(file, op(begun, "invoke", "cas", null));
		Event ended = attempt.get(kind);
		Event refused = (kind == Kind.CHECKED) ? attempt.get(Kind.REFUSED) : null;
		if (ended != null) {
			add(file, op(ended, "ok", "cas", List.of(ended.first(), ended.second())));
		}
		else if (refused != null) {
			add(file, op(refused, "fail", "cas", null));
		}
		else {
			add(file, op(begun, "info", "cas", null).with("time", since(this.end)));
		}
	}

	private EdnOp op(Event event, String type, String f, @Nullable Object value) {
		return EdnOp.of(Objects.requireNonNull(this.processes.get(thread(event))), type, f, value,
				since(event.nanos()));
	}

	private void add(String file, EdnOp op) {
		this.files.computeIfAbsent(file, (name) -> new ArrayList<>()).add(op);
	}

	private long since(long nanos) {
		return nanos - this.start;
	}

	private static String thread(Event event) {
		return event.attempt().replaceFirst("\\.\\d+$", "");
	}

	private static void writeFile(List<EdnOp> ops, Path file) throws IOException {
		// Stable: operations of one process and one moment stay in their order.
		ops.sort(IN_ORDER);
		try (BufferedWriter writer = new BufferedWriter(
				new OutputStreamWriter(new GZIPOutputStream(Files.newOutputStream(file)), StandardCharsets.UTF_8))) {
			for (EdnOp op : ops) {
				writer.write(op.line());
				writer.newLine();
			}
		}
	}

}
