package dev.redlock;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Who is first in one line, and who is behind. Guarded by the lock of the line that it
 * belongs to.
 */
final class Places {

	private @Nullable Turn first;

	/** Nothing as long as nobody ever was, as for most locks. */
	private @Nullable Set<Turn> behind;

	@Nullable Turn first() {
		return this.first;
	}

	/**
	 * Takes the last place.
	 * @return whether that is the first one too
	 */
	boolean add(Turn turn) {
		if (this.first == null) {
			this.first = turn;
			return true;
		}
		if (this.behind == null) {
			this.behind = new LinkedHashSet<>();
		}
		this.behind.add(turn);
		return false;
	}

	/**
	 * Gives up a place behind the first.
	 */
	void remove(Turn turn) {
		if (this.behind != null) {
			this.behind.remove(turn);
		}
	}

	/**
	 * Gives up the first place.
	 * @param closed whether those behind stay where they are
	 * @return who is first now
	 */
	@Nullable Turn next(boolean closed) {
		this.first = null;
		if (this.behind != null && !this.behind.isEmpty() && !closed) {
			Iterator<Turn> turns = this.behind.iterator();
			this.first = turns.next();
			turns.remove();
		}
		return this.first;
	}

	/**
	 * The first, if it has no lease yet.
	 */
	@Nullable Campaign waiter() {
		return (this.first != null) ? this.first.waiter() : null;
	}

	boolean anybodyWaits() {
		return waiter() != null || (this.behind != null && !this.behind.isEmpty());
	}

	boolean isEmpty() {
		return size() == 0;
	}

	int size() {
		int others = (this.behind != null) ? this.behind.size() : 0;
		return (this.first != null) ? 1 + others : others;
	}

}
