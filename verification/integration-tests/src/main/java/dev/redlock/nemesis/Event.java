package dev.redlock.nemesis;

import java.util.List;

/**
 * One line of a history.
 *
 * @param nanos when, by {@link SteppedClock#machineNanos()}, which all processes of a
 * machine share
 * @param source the process that wrote it down
 * @param kind what happened
 * @param subject the name of the lock, or whatever it happened to
 * @param attempt which attempt of which thread it belongs to, or a detail
 * @param first a number, by kind
 * @param second another number, by kind
 */
record Event(long nanos, String source, Kind kind, String subject, String attempt, long first, long second) {

	private static final String SEPARATOR = "\t";

	private static final int FIELDS = 7;

	static Event parse(String line) {
		List<String> fields = List.of(line.split(SEPARATOR, -1));
		if (fields.size() != FIELDS) {
			throw new IllegalArgumentException("Not a line of a history: '" + line + "'");
		}
		return new Event(Long.parseLong(fields.get(0)), fields.get(1), Kind.valueOf(fields.get(2)), fields.get(3),
				fields.get(4), Long.parseLong(fields.get(5)), Long.parseLong(fields.get(6)));
	}

	String line() {
		return String.join(SEPARATOR, Long.toString(this.nanos), this.source, this.kind.name(), this.subject,
				this.attempt, Long.toString(this.first), Long.toString(this.second));
	}

	/**
	 * What can happen.
	 */
	enum Kind {

		/** A client asks; first is the ttl in nanoseconds. */
		TRY,

		/** It got the lock; first is the fence, second the end of its validity. */
		WON,

		/** It did not. */
		FAILED,

		/** It has it still, renewed; second is the end of its validity. */
		RENEWED,

		/** It was told that the lock is lost. */
		LOST,

		/** It begins to release the lock, and trusts it no more. */
		RELEASE,

		/** It has released it; first is how many servers confirmed. */
		RELEASED,

		/** It begins to add one to both resources. */
		ADD,

		/** It has added to the fenced resource; first was read, second was written. */
		CHECKED,

		/** The fenced resource refused its claim or its write. */
		REFUSED,

		/** It has added to the other resource; first was read, second was written. */
		UNCHECKED,

		/** A fault began. */
		FAULT,

		/** All faults have ended. */
		HEALED,

		/**
		 * A key that should be gone was found; subject is the key, attempt the server.
		 */
		ORPHAN

	}

}
