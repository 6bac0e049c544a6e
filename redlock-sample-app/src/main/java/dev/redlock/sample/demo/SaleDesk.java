package dev.redlock.sample.demo;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

import dev.redlock.sample.demo.Note.Tone;
import dev.redlock.sample.shop.Stock;
import dev.redlock.sample.shop.StockBooks;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.stereotype.Component;

/**
 * Opens and closes the sale, in all JVMs. Thread-safe.
 */
@Component
@FirstJvm
final class SaleDesk implements InitializingBean {

	/**
	 * Enough for four minutes with the lock, which is time for all steps of the page.
	 */
	private static final int FIRST_UNITS = 6_000;

	private static final int FIRST_BUYERS = 6;

	private final Buyers here;

	private final List<BuyerGroup> everywhere;

	private final StockBooks books;

	private final Journal journal;

	private final NodeDesk nodes;

	private final ReentrantLock lock = new ReentrantLock();

	private volatile boolean fenceChecked = true;

	private volatile Protection protection = Protection.LOCK_AND_FENCE;

	private volatile int buyers = FIRST_BUYERS;

	private volatile long openedMicros;

	private volatile Results results = Results.NONE;

	SaleDesk(Buyers here, SecondJvm there, StockBooks books, Journal journal, NodeDesk nodes) {
		this.here = here;
		this.everywhere = List.of(here, there);
		this.books = books;
		this.journal = journal;
		this.nodes = nodes;
	}

	@Override
	public void afterPropertiesSet() {
		this.books.reset(Buyers.ARTICLE, FIRST_UNITS);
	}

	/**
	 * Fills the shelves and begins a sale.
	 */
	void open(boolean locked, int newBuyers, int units) {
		exclusively(() -> {
			sendAway();
			this.results = results();
			this.openedMicros = 0;
			this.books.reset(Buyers.ARTICLE, units);
			this.buyers = newBuyers;
			this.protection = locked ? withLock() : Protection.NONE;
			this.openedMicros = Micros.now();
			this.everywhere.forEach((group) -> group.start(this.protection, newBuyers));
			this.journal.note(Tone.PLAIN,
					"A sale of " + units + " units begins, " + (locked ? "with the lock." : "without a lock."));
		});
	}

	/**
	 * Ends the sale and does not change the books.
	 */
	void close() {
		exclusively(() -> {
			if (isOpen()) {
				sendAway();
				this.journal.note(Tone.PLAIN, "The sale was stopped.");
			}
		});
	}

	/**
	 * Ends the sale, fills the shelves, and clears the journal.
	 */
	void reset(int units) {
		exclusively(() -> {
			sendAway();
			this.books.reset(Buyers.ARTICLE, units);
			this.openedMicros = 0;
			this.results = Results.NONE;
			this.journal.clear();
			this.journal.note(Tone.PLAIN, "The shelves are full again: " + units + " units.");
		});
	}

	void checkFence(boolean checked) {
		exclusively(() -> {
			this.fenceChecked = checked;
			if (this.protection.locks()) {
				this.protection = withLock();
				this.everywhere.forEach((group) -> group.protect(this.protection));
			}
			this.journal.note(checked ? Tone.PLAIN : Tone.WARNING,
					checked ? "The stock checks the fence of every write."
							: "The stock does not check fences any more: a late buyer can write.");
		});
	}

	void pauseHolder() {
		if (!isOpen() || !this.protection.locks()) {
			throw new IllegalStateException(
					"No buyer holds the lock, so there is none to pause. Start a sale with the lock first.");
		}
		Electorate electorate = new Electorate(this.nodes.view());
		if (!electorate.hasMajority()) {
			throw new IllegalStateException(
					"Only " + electorate + ", so no buyer gets the lock and none can be paused. Heal a node first.");
		}
		this.here.pauseNextHolder();
	}

	boolean isOpen() {
		return this.everywhere.stream().anyMatch(BuyerGroup::isBuying);
	}

	long openedMicros() {
		return this.openedMicros;
	}

	SaleView view() {
		return new SaleView(isOpen(), this.openedMicros, this.protection, this.fenceChecked, this.buyers,
				this.here.isAboutToPause());
	}

	/**
	 * Returns the results of the last sale without the lock and of the last one with it.
	 * The current sale is one of them.
	 */
	Results results() {
		Results before = this.results;
		return (this.openedMicros > 0) ? before.with(this.protection, stock()) : before;
	}

	Stock stock() {
		return this.books.find(Buyers.ARTICLE);
	}

	private Protection withLock() {
		return this.fenceChecked ? Protection.LOCK_AND_FENCE : Protection.LOCK;
	}

	private void sendAway() {
		this.everywhere.forEach(BuyerGroup::stop);
	}

	private void exclusively(Runnable change) {
		this.lock.lock();
		try {
			change.run();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * The state of the sale.
	 *
	 * @param open whether buyers are buying
	 * @param openedMicros the time when it began, 0 if none did since the shelves were
	 * filled
	 * @param protection the protection of the purchases
	 * @param fenceChecked whether the stock checks fences in a sale with the lock
	 * @param buyers the number of buyers in each JVM
	 * @param aboutToPause whether the next holder of the lock will stand still
	 */
	record SaleView(boolean open, long openedMicros, Protection protection, boolean fenceChecked, int buyers,
			boolean aboutToPause) {

	}

}
