package dev.redlock.test.lateholder;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import dev.redlock.LeaseSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * The table of a test with {@link LateHolder}, which shows the outcome for each step.
 */
final class Report {

	private static final int LONGEST_REASON = 60;

	private final String title;

	private final List<String[]> rows = new ArrayList<>();

	private boolean unjudged;

	private final List<Throwable> broken = new ArrayList<>();

	private final Set<String> notes = new LinkedHashSet<>();

	Report(LeaseSnapshot lease, int steps) {
		this.title = ((lease.origin() != null) ? lease.origin() + ", " : "") + "lock " + lease.resources() + ": "
				+ steps + (steps == 1 ? " step" : " steps")
				+ ". The call was frozen before each step until its lock had expired, and the rival ran meanwhile.";
		this.rows.add(new String[] { "#", "step", "late call", "invariant", "crash after this step" });
	}

	/**
	 * @param late the result of the run in which the call was frozen before the step
	 * @param crash the result of the run in which the test ended the call before the next
	 * step, like a crash; null for the last step
	 */
	void add(int number, String name, Result late, @Nullable Result crash) {
		String whenLate = invariant(late,
				"A write that landed late needs a fence, or an idempotency key at the receiver.");
		String afterCrash = invariant(crash, "Work that a crash leaves half done needs one transaction, or an "
				+ "idempotency key at the receiver, so that the next call can repeat the work.");
		this.rows.add(new String[] { Integer.toString(number), name, late.outcome(), whenLate,
				afterCrash.replaceFirst("(?s):.*", "") + ((crash != null) ? crash.outcome() : "") });
	}

	void note(String note) {
		this.notes.add(note);
	}

	/**
	 * Whether a step could not be judged, and no other step has broken the invariant.
	 */
	boolean isUnjudged() {
		return this.unjudged && this.broken.isEmpty();
	}

	/**
	 * Prints the table of steps, and fails the test if a run broke the invariant of the
	 * test, or could not be judged.
	 */
	void publish() {
		String table = table();
		System.out.println(table);
		if (this.unjudged || !this.broken.isEmpty()) {
			AssertionError error = new AssertionError(table);
			this.broken.forEach(error::addSuppressed);
			throw error;
		}
	}

	private String invariant(@Nullable Result result, String advice) {
		Throwable failure = (result != null) ? result.broken() : null;
		if (failure == null) {
			this.unjudged |= result != null && result.unjudged();
			return (result == null) ? "–" : result.unjudged() ? "UNJUDGED" : "holds";
		}
		this.broken.add(failure);
		this.notes.add(advice);
		return "BROKEN: " + reason(failure);
	}

	static String reason(Throwable failure) {
		String message = (failure.getMessage() != null) ? failure.getMessage().strip().replaceAll("\\s+", " ") : "";
		String whole = (failure instanceof AssertionError && !message.isEmpty()) ? message
				: failure.getClass().getSimpleName() + (message.isEmpty() ? "" : ": " + message);
		return (whole.length() <= LONGEST_REASON) ? whole : whole.substring(0, LONGEST_REASON - 1) + "…";
	}

	private String table() {
		int columns = this.rows.get(0).length;
		int[] widths = new int[columns];
		for (String[] row : this.rows) {
			for (int i = 0; i < columns; i++) {
				widths[i] = Math.max(widths[i], row[i].length());
			}
		}
		StringBuilder table = new StringBuilder(System.lineSeparator() + this.title);
		for (String[] row : this.rows) {
			StringBuilder line = new StringBuilder();
			for (int i = 0; i < columns; i++) {
				line.append(row[i]).append(" ".repeat(widths[i] - row[i].length() + 2));
			}
			table.append(System.lineSeparator()).append(line.toString().stripTrailing());
		}
		this.notes.forEach((note) -> table.append(System.lineSeparator()).append(note));
		return table.toString();
	}

	/**
	 * The result of one run of the call under test.
	 *
	 * @param unjudged whether the test cannot tell what the call has done
	 * @param broken the exception that the check of the invariant threw; null if the
	 * invariant holds
	 */
	record Result(String outcome, boolean unjudged, @Nullable Throwable broken) {

	}

}
