package dev.redlock;

import java.time.Duration;
import java.util.List;
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

	private static final Duration LISTENING_ON = Duration.ofMillis(500);

	private final Lines lines;

	private final String key;

	private final ReentrantLock lock = new ReentrantLock();

	private final Places places = new Places();

	/** Nothing as long as nobody else was seen. */
	private @Nullable Elsewhere elsewhere;

	private boolean handedOver;

	private @Nullable Ear ear;

	private Scheduler.@Nullable Timeout tidyLater;

	private long news;

	private @Nullable Verdict refusal;

	/** When the nodes may be asked again, nothing if now. */
	private @Nullable Long restUntilNanos;

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
			if (onlyAsFirst && this.places.first() != null) {
				return Entry.BEHIND;
			}
			return this.places.add(turn) ? Entry.FIRST : Entry.BEHIND;
		});
	}

	/**
	 * Gives up a place.
	 * @return who is first instead, if it was the first
	 */
	@Nullable Turn leave(Turn turn) {
		return locked(() -> {
			Turn next = null;
			if (this.places.first() == turn) {
				next = next();
			}
			else {
				this.places.remove(turn);
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
			if (this.places.first() != turn) {
				return Succession.NOBODY;
			}
			boolean standBack = this.elsewhere != null && this.elsewhere.isDue();
			Turn next = next();
			while (next != null && !standBack && turn.isInOneLine() && next.isInOneLine()) {
				if (next.commit()) {
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
			if (this.elsewhere != null) {
				this.elsewhere.served(this.handedOver, this.places.size());
			}
			this.handedOver = false;
			this.restUntilNanos = null;
			this.refusal = null;
			tidy();
		});
	}

	/**
	 * The nodes refused the first, who rests for a while.
	 */
	void refused(Verdict verdict, Duration rest) {
		locked(() -> {
			this.handedOver = false;
			this.refusal = verdict;
			this.restUntilNanos = this.lines.nanoTime() + rest.toNanos();
		});
	}

	/**
	 * For how long the nodes need not be asked, by what the one before has learnt.
	 */
	Duration rest() {
		return locked(() -> {
			Long until = this.restUntilNanos;
			return (until != null) ? Duration.ofNanos(Math.max(0, until - this.lines.nanoTime())) : Duration.ZERO;
		});
	}

	@Nullable Verdict refusal() {
		return locked(() -> this.refusal);
	}

	@Nullable HeldLease lease() {
		return locked(() -> {
			Turn first = this.places.first();
			return (first != null) ? first.lease() : null;
		});
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
		locked(() -> elsewhere().heardRelease(listeners));
		tell(true);
	}

	private void tell(boolean inTurn) {
		Campaign waiter = locked(() -> {
			this.news++;
			this.restUntilNanos = null;
			return this.places.waiter();
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
		this.handedOver = false;
		return this.places.next(this.lines.isClosed());
	}

	/**
	 * Stops listening some time after the last one who waited is gone, and ends when
	 * nobody is left.
	 */
	private void tidy() {
		if (this.ear == null) {
			if (this.places.isEmpty()) {
				this.gone = true;
				this.lines.remove(this.key, this);
			}
		}
		else if (this.tidyLater == null && !this.places.anybodyWaits()) {
			this.tidyLater = this.lines.later(LISTENING_ON, () -> stopListening(false));
		}
	}

	/**
	 * Nobody waits any more, nor will.
	 */
	void close() {
		stopListening(true);
	}

	private void stopListening(boolean forGood) {
		Ear old = locked(() -> {
			if (this.tidyLater != null) {
				this.tidyLater.cancel();
				this.tidyLater = null;
			}
			if (!forGood && this.places.anybodyWaits()) {
				return null;
			}
			Ear open = this.ear;
			this.ear = null;
			tidy();
			return open;
		});
		if (old != null) {
			old.close();
		}
	}

	private void locked(Runnable work) {
		locked(() -> {
			work.run();
			return this;
		});
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

}
