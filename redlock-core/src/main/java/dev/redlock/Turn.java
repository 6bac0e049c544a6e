package dev.redlock;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The place of one request in the lines of all its keys, from its first question until
 * its lease has ended.
 */
final class Turn {

	private final Lines lines;

	private final LockPlan plan;

	/** Who waits, until there is a lease. */
	private volatile @Nullable Campaign waiter;

	private volatile @Nullable HeldLease lease;

	private volatile boolean over;

	/** In how many lines it is. Touched only by whoever brings it forward. */
	private int entered;

	Turn(Lines lines, LockPlan plan, Campaign waiter) {
		this.lines = lines;
		this.plan = plan;
		this.waiter = waiter;
	}

	List<String> keys() {
		return this.plan.keys();
	}

	/**
	 * The key of the next line to enter, or null when it is first in all of them.
	 */
	@Nullable String nextKey() {
		return (this.entered < keys().size()) ? keys().get(this.entered++) : null;
	}

	boolean isInOneLine() {
		return keys().size() == 1;
	}

	/**
	 * Lets the request promise to ask for the lock. Whoever calls this has to let it ask.
	 * @return false if it has given up
	 */
	boolean commit() {
		Campaign waiting = this.waiter;
		return waiting != null && waiting.commit();
	}

	@Nullable Campaign waiter() {
		return this.waiter;
	}

	boolean isOver() {
		return this.over;
	}

	@Nullable HeldLease lease() {
		return this.lease;
	}

	/**
	 * The request has got its lease, and keeps its place until that has ended.
	 */
	void won(HeldLease held) {
		this.lease = held;
		this.waiter = null;
		keys().forEach((key) -> this.lines.with(key, Line::won));
		if (this.over) {
			leave();
		}
	}

	/**
	 * Gives up its place in all lines, and lets those behind have theirs.
	 */
	void leave() {
		this.over = true;
		this.lines.leave(this);
	}

	/**
	 * Prepares to leave on release.
	 */
	Succession succession() {
		this.over = true;
		return this.lines.succession(this);
	}

	/**
	 * Listens for releases from here on, where that is possible.
	 */
	void listen() {
		keys().forEach((key) -> this.lines.with(key, (line) -> line.listen(this.plan.nodes())));
	}

	/**
	 * Whether releases are heard, of each key.
	 */
	boolean hears() {
		return keys().stream().allMatch((key) -> this.lines.ask(key, Line::hears, false));
	}

	/**
	 * Counts whatever has made another try worthwhile.
	 */
	long news() {
		long news = 0;
		for (String key : keys()) {
			news += this.lines.ask(key, Line::news, 0L);
		}
		return news;
	}

	/**
	 * How long to stand back after a release somewhere else.
	 */
	Duration standBack() {
		return this.lines.ask(keys().get(0), Line::standBack, Duration.ZERO);
	}

	/**
	 * For how long the nodes need not be asked, unless there is news.
	 */
	Duration rest() {
		return this.lines.ask(keys().get(keys().size() - 1), Line::rest, Duration.ZERO);
	}

	/**
	 * Tells those behind why the nodes refused, and for how long they need not be asked
	 * again unless there is news.
	 */
	void refused(Verdict verdict, Duration rest) {
		keys().forEach((key) -> this.lines.with(key, (line) -> line.refused(verdict, rest)));
	}

	/**
	 * Tells how many listened when this process released.
	 */
	void counted(int listeners) {
		keys().forEach((key) -> this.lines.with(key, (line) -> line.counted(listeners)));
	}

	/**
	 * Why the request has not been first so far.
	 */
	@Nullable Verdict whyWaiting() {
		return this.lines.whyWaiting(this);
	}

}
