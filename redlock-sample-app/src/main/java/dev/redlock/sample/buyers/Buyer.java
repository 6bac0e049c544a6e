package dev.redlock.sample.buyers;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;

import dev.redlock.LockLostException;
import dev.redlock.LockNotAcquiredException;
import dev.redlock.sample.buyers.Turn.Phase;
import dev.redlock.sample.shop.FlashSale;
import dev.redlock.sample.shop.SoldOutException;
import dev.redlock.sample.shop.StockBooks;
import dev.redlock.spring.fencing.StaleFenceException;

/**
 * Buys one unit after the other until nothing is left, and reports how each purchase
 * ended.
 */
final class Buyer implements Runnable {

	private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(500);

	private final FlashSale sale;

	private final StockBooks books;

	private final Pace pace;

	private final Supplier<Purchase> purchases;

	Buyer(FlashSale sale, StockBooks books, Pace pace, Supplier<Purchase> purchases) {
		this.sale = sale;
		this.books = books;
		this.pace = pace;
		this.purchases = purchases;
	}

	@Override
	public void run() {
		Phase last = Phase.SOLD;
		while (last != Phase.SOLD_OUT && !this.pace.isStopped()) {
			last = buyOnce(this.purchases.get()).phase();
			if (last == Phase.FAILED) {
				pauseAfterFailure();
			}
		}
	}

	private Turn buyOnce(Purchase purchase) {
		try {
			buy(purchase);
			return purchase.ended(Phase.SOLD, "");
		}
		catch (SoldOutException ex) {
			return purchase.ended(Phase.SOLD_OUT, "");
		}
		catch (StaleFenceException ex) {
			return purchase.ended(Phase.REFUSED,
					"its fence " + ex.fence() + " is behind " + ex.highest() + ", with which others have bought since");
		}
		catch (LockLostException ex) {
			// The purchase has written: the stock accepted its fence or did not check
			// one.
			return purchase.ended(overwroteOthers() ? Phase.WRONG : Phase.LATE, "");
		}
		catch (LockNotAcquiredException ex) {
			return purchase.ended(this.pace.isStopped() ? Phase.STOPPED : Phase.GAVE_UP, ex.reason().name());
		}
		catch (CancellationException ex) {
			return purchase.ended(Phase.STOPPED, "");
		}
		catch (RuntimeException ex) {
			return purchase.ended(this.pace.isStopped() ? Phase.STOPPED : Phase.FAILED,
					String.valueOf(ex.getMessage()));
		}
	}

	private void buy(Purchase purchase) {
		switch (purchase.protection()) {
			case LOCK_AND_FENCE -> this.sale.buy(Buyers.ARTICLE, purchase);
			case LOCK -> this.sale.buyUnfenced(Buyers.ARTICLE, purchase);
			case NONE -> this.sale.buyUnlocked(Buyers.ARTICLE, purchase);
		}
	}

	private boolean overwroteOthers() {
		return this.books.find(Buyers.ARTICLE).soldTwice() > 0;
	}

	private void pauseAfterFailure() {
		try {
			this.pace.pass(PAUSE_AFTER_FAILURE);
		}
		catch (CancellationException ex) {
			// The loop sees that the sale is over.
		}
	}

}
