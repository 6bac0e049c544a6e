package dev.redlock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;

import dev.redlock.spi.LockNode;
import dev.redlock.spi.Scheduler;
import dev.redlock.spi.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * The lines of all keys for which somebody in this process waits or holds the lock. A
 * request for several keys enters one line after the other, in the order of the keys, so
 * that no two block each other.
 */
final class Lines {

	private final Ticker ticker;

	private final Scheduler scheduler;

	private final RandomGenerator random;

	private final Pace pace;

	private final ConcurrentMap<String, Line> lines = new ConcurrentHashMap<>();

	private volatile boolean closed;

	Lines(Ticker ticker, Scheduler scheduler, RandomGenerator random, Pace pace) {
		this.ticker = ticker;
		this.scheduler = scheduler;
		this.random = random;
		this.pace = pace;
	}

	/**
	 * Lines up for all keys. The waiter is told when it is first for each of them.
	 */
	void join(Turn turn) {
		bringForward(turn, Duration.ZERO);
	}

	/**
	 * Takes the first place for all keys, if nobody waits or holds any of them here.
	 */
	boolean joinIfFree(Turn turn) {
		for (String key = turn.nextKey(); key != null; key = turn.nextKey()) {
			if (enter(key, turn, true) == Entry.BEHIND) {
				turn.leave();
				return false;
			}
		}
		return true;
	}

	/**
	 * Leaves all lines, and tells those who are first now.
	 */
	void leave(Turn turn) {
		for (String key : turn.keys()) {
			Line line = this.lines.get(key);
			Turn next = (line != null) ? line.leave(turn) : null;
			if (line != null && next != null) {
				bringForward(next, line.rest());
			}
		}
	}

	/**
	 * Leaves its line on release, and says how the lock goes on. A turn in several lines
	 * stays there until {@link #proceed}.
	 */
	Succession succession(Turn turn) {
		Line line = turn.isInOneLine() ? this.lines.get(turn.keys().get(0)) : null;
		return (line != null) ? line.succession(turn) : Succession.NOBODY;
	}

	/**
	 * Goes on after the release has been sent.
	 */
	void proceed(Turn released, Succession succession) {
		Turn next = succession.next();
		Campaign waiter = (next != null) ? next.waiter() : null;
		if (next == null) {
			leave(released);
			return;
		}
		switch (succession.manner()) {
			case HANDED_OVER -> {
				if (waiter != null) {
					waiter.ask();
				}
			}
			case PASSED_ON -> bringForward(next, Duration.ZERO);
			case STANDING_BACK -> {
				next.listen();
				bringForward(next, next.standBack());
			}
		}
	}

	/**
	 * The valid lease of this process that stands in the way, if one does.
	 */
	@Nullable HeldLease heldHere(List<String> keys) {
		for (String key : keys) {
			Line line = this.lines.get(key);
			HeldLease lease = (line != null) ? line.lease() : null;
			if (lease != null && lease.isValid()) {
				return lease;
			}
		}
		return null;
	}

	/**
	 * What the nodes last told those who stand before the turn.
	 */
	@Nullable Verdict whyWaiting(Turn turn) {
		for (String key : turn.keys()) {
			Line line = this.lines.get(key);
			Verdict refusal = (line != null) ? line.refusal() : null;
			if (refusal != null) {
				return refusal;
			}
		}
		return null;
	}

	/**
	 * Nobody is told any more that it is first, nor of any release.
	 */
	void close() {
		this.closed = true;
		this.lines.values().forEach(Line::close);
	}

	boolean isClosed() {
		return this.closed;
	}

	void with(String key, Consumer<Line> work) {
		Line line = this.lines.get(key);
		if (line != null) {
			work.accept(line);
		}
	}

	<T> T ask(String key, Function<Line, T> question, T otherwise) {
		Line line = this.lines.get(key);
		return (line != null) ? question.apply(line) : otherwise;
	}

	void remove(String key, Line line) {
		this.lines.remove(key, line);
	}

	Ear ear(Line line, List<LockNode> nodes) {
		return new Ear(line, nodes, this.scheduler, this.pace);
	}

	Scheduler.Timeout later(Duration delay, Runnable work) {
		return this.scheduler.schedule(delay, work);
	}

	long nanoTime() {
		return this.ticker.nanoTime();
	}

	long graceNanos() {
		return this.pace.graceNanos();
	}

	RandomGenerator random() {
		return this.random;
	}

	/**
	 * How many keys have a line. For tests that nothing is left.
	 */
	int size() {
		return this.lines.size();
	}

	private void bringForward(Turn turn, Duration rest) {
		for (String key = turn.nextKey(); key != null; key = turn.nextKey()) {
			Entry entry = enter(key, turn, false);
			if (turn.isOver()) {
				// It was given up while it was on its way into this line.
				leave(turn);
				return;
			}
			if (entry == Entry.BEHIND) {
				return;
			}
		}
		Campaign waiter = turn.waiter();
		if (waiter != null) {
			waiter.onTurn(rest);
		}
	}

	private Entry enter(String key, Turn turn, boolean onlyAsFirst) {
		while (true) {
			Line line = this.lines.computeIfAbsent(key, (absent) -> new Line(this, absent));
			Entry entry = line.enter(turn, onlyAsFirst);
			if (entry != Entry.GONE) {
				return entry;
			}
		}
	}

}
