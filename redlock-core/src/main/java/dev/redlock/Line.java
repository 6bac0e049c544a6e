package dev.redlock;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import dev.redlock.Succession.Manner;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * The requests of this process for one key, in the order in which they came. Only the
 * first asks the nodes, and it stays the first until its lease has ended.
 * <p>
 * When a release here finds others of this process waiting, the lock goes from one to the
 * next without a word to anybody else. When others wait elsewhere, this serves as many as
 * waited when the lock came here and half as many again, then stands back: to move the
 * lock to another process takes several times as long as to hand it on in this one.
 */
final class Line {

	private static final int LONGEST_BATCH = 16;

	private static final Duration LISTENING_ON = Duration.ofMillis(500);

	private final Lines lines;

	private final String key;

	private final ReentrantLock lock = new ReentrantLock();

	/** Nothing as long as nobody else was seen. */
	private @Nullable Elsewhere elsewhere;

	private @Nullable Turn first;

	private @Nullable Set<Turn> behind;

	/** How many may have the lock, and have had it, before others get their chance. */
	private int batch;

	private int served;

	private boolean handedOver;

	private @Nullable Ear ear;

	private boolean tidying;

	private Scheduler.@Nullable Timeout tidyLater;

	private long news;

	private @Nullable Verdict refusal;

	private long restUntilNanos;

	private boolean resting;

	private boolean gone;

	Line(Lines lines, String key) {
		this.lines = lines;
		this.key = key;
	}

	/**
	 * Takes the last place, or only the first.
	 */
	Entry enter(Turn turn, boolean onlyAsFirst) {
		return locked(() -> {
			if (this.gone) {
				return Entry.GONE;
			}
			if (this.first == null) {
				this.first = turn;
				return Entry.FIRST;
			}
			if (onlyAsFirst) {
				return Entry.BEHIND;
			}
			if (this.behind == null) {
				this.behind = new LinkedHashSet<>();
			}
			this.behind.add(turn);
			return Entry.BEHIND;
		});
	}

	/**
	 * Gives up a place.
	 * @return who is first instead, if it was the first
	 */
	@Nullable Turn leave(Turn turn) {
		return locked(() -> {
			Turn next = null;
			if (this.first == turn) {
				next = next();
			}
			else if (this.behind != null) {
				this.behind.remove(turn);
			}
			tidy();
			return next;
		});
	}

	/**
	 * Gives up the first place on release.
	 */
	Succession succession(Turn turn) {
		return locked(() -> {
			if (this.first != turn) {
				return Succession.NOBODY;
			}
			boolean standBack = this.elsewhere != null && this.elsewhere.anybody() && this.served >= this.batch;
			Turn next = next();
			while (next != null && !standBack && isOnlyHere(turn) && isOnlyHere(next)) {
				Campaign waiter = next.waiter();
				if (waiter != null && waiter.commit()) {
					this.handedOver = true;
					return new Succession(next, Manner.HANDED_OVER);
				}
				// It has given up and is about to leave.
				next = next();
			}
			tidy();
			return (next == null) ? Succession.NOBODY
					: new Succession(next, standBack ? Manner.STANDING_BACK : Manner.PASSED_ON);
		});
	}

	/**
	 * The first has got its lease.
	 */
	void won() {
		locked(() -> {
			if (!this.handedOver) {
				this.served = 0;
				int here = 1 + ((this.behind != null) ? this.behind.size() : 0);
				this.batch = Math.min(LONGEST_BATCH, here + here / 2);
			}
			this.handedOver = false;
			this.served++;
			this.resting = false;
			this.refusal = null;
			if (this.elsewhere != null) {
				this.elsewhere.served();
			}
			tidy();
			return this.first;
		});
	}

	/**
	 * The nodes refused the first, who rests for a while.
	 */
	void refused(Verdict verdict, Duration rest) {
		locked(() -> {
			this.handedOver = false;
			this.refusal = verdict;
			this.resting = rest.compareTo(Duration.ZERO) > 0;
			this.restUntilNanos = this.lines.nanoTime() + rest.toNanos();
			return this.first;
		});
	}

	/**
	 * For how long the nodes need not be asked, by what the one before has learnt.
	 */
	Duration rest() {
		return locked(() -> this.resting ? Duration.ofNanos(Math.max(0, this.restUntilNanos - this.lines.nanoTime()))
				: Duration.ZERO);
	}

	@Nullable Verdict refusal() {
		return locked(() -> this.refusal);
	}

	@Nullable HeldLease lease() {
		return locked(() -> (this.first != null) ? this.first.lease() : null);
	}

	void listen(List<LockNode> nodes) {
		Ear opened = locked(() -> (this.ear != null || this.gone || this.lines.isClosed()) ? null
				: (this.ear = this.lines.ear(this, nodes)));
		if (opened != null) {
			opened.open(nodes, this.key);
		}
	}

	boolean hears() {
		Ear open = locked(() -> this.ear);
		return open != null && open.hears();
	}

	/**
	 * Counts whatever has made another try worthwhile.
	 */
	long news() {
		return locked(() -> this.news);
	}

	/**
	 * Rests for as long as others are to have their chance.
	 */
	Duration standBack() {
		return locked(() -> {
			long nanos = elsewhere().standBackNanos(this.lines.graceNanos(), this.lines.random());
			this.resting = nanos > 0;
			this.restUntilNanos = this.lines.nanoTime() + nanos;
			return Duration.ofNanos(nanos);
		});
	}

	/**
	 * This process released, and so many listened.
	 */
	void counted(int listeners) {
		locked(() -> {
			if (listeners > 0 || this.elsewhere != null) {
				elsewhere().counted(listeners, this.ear != null);
			}
			return this.first;
		});
	}

	/**
	 * Releases are heard from now on.
	 */
	void listening() {
		tell(false);
	}

	/**
	 * A release was announced to so many.
	 */
	void released(int listeners) {
		locked(() -> {
			elsewhere().heardRelease(listeners);
			return this.first;
		});
		tell(true);
	}

	private void tell(boolean inTurn) {
		Campaign waiter = locked(() -> {
			this.news++;
			this.resting = false;
			return (this.first != null) ? this.first.waiter() : null;
		});
		if (waiter != null) {
			waiter.onNews(inTurn ? standBack() : Duration.ZERO);
		}
	}

	private Elsewhere elsewhere() {
		if (this.elsewhere == null) {
			this.elsewhere = new Elsewhere();
		}
		return this.elsewhere;
	}

	private @Nullable Turn next() {
		this.first = null;
		this.handedOver = false;
		if (this.behind != null && !this.behind.isEmpty() && !this.lines.isClosed()) {
			Iterator<Turn> turns = this.behind.iterator();
			this.first = turns.next();
			turns.remove();
		}
		return this.first;
	}

	private static boolean isOnlyHere(Turn turn) {
		return turn.keys().size() == 1;
	}

	private boolean anybodyWaits() {
		return (this.first != null && this.first.waiter() != null) || (this.behind != null && !this.behind.isEmpty());
	}

	/**
	 * Stops listening some time after the last one who waited is gone, and ends when
	 * nobody is left.
	 */
	private void tidy() {
		if (this.ear == null) {
			if (this.first == null && !anybodyWaits()) {
				this.gone = true;
				this.lines.remove(this.key, this);
			}
		}
		else if (!this.tidying && !anybodyWaits()) {
			this.tidying = true;
			this.tidyLater = this.lines.later(LISTENING_ON, this::stopListening);
		}
	}

	/**
	 * Nobody waits any more, nor will.
	 */
	void close() {
		Ear open = locked(() -> {
			Ear last = this.ear;
			this.ear = null;
			if (this.tidyLater != null) {
				this.tidyLater.cancel();
			}
			return last;
		});
		if (open != null) {
			open.close();
		}
	}

	private void stopListening() {
		Ear old = locked(() -> {
			this.tidying = false;
			Ear open = this.ear;
			if (anybodyWaits()) {
				return null;
			}
			this.ear = null;
			tidy();
			return open;
		});
		if (old != null) {
			old.close();
		}
	}

	private <T extends @Nullable Object> T locked(Supplier<T> work) {
		this.lock.lock();
		try {
			return work.get();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * How somebody came into a line, or would have.
	 */
	enum Entry {

		FIRST, BEHIND, GONE

	}

}
