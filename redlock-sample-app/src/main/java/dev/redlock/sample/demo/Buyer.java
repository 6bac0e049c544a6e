package dev.redlock.sample.demo;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;

import dev.redlock.LockLostException;
import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.sample.demo.Turn.Phase;
import dev.redlock.sample.shop.FlashSale;
import dev.redlock.sample.shop.SoldOutException;
import dev.redlock.spring.fencing.StaleFenceException;

import org.springframework.core.NestedExceptionUtils;

/**
 * Buys one unit after the other until nothing is left, and reports how each purchase
 * ended.
 */
final class Buyer implements Runnable {

	private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(500);

	private final FlashSale sale;

	private final Pace pace;

	private final Supplier<Purchase> purchases;

	Buyer(FlashSale sale, Pace pace, Supplier<Purchase> purchases) {
		this.sale = sale;
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
		catch (LockLostException ex) {
			// The purchase has written: its fence was accepted or not checked.
			return purchase.ended(purchase.overwroteOthers() ? Phase.WRONG : Phase.LATE, "");
		}
		catch (LockNotAcquiredException ex) {
			return purchase.ended(this.pace.isStopped() ? Phase.STOPPED : Phase.GAVE_UP, why(ex.reason()));
		}
		catch (CancellationException ex) {
			return purchase.ended(Phase.STOPPED, "");
		}
		catch (RuntimeException ex) {
			return failed(purchase, ex);
		}
	}

	private void buy(Purchase purchase) {
		switch (purchase.protection()) {
			case LOCK_AND_FENCE -> this.sale.buy(Buyers.ARTICLE, purchase);
			case LOCK -> this.sale.buyUnfenced(Buyers.ARTICLE, purchase);
			case NONE -> this.sale.buyUnlocked(Buyers.ARTICLE, purchase);
		}
	}

	/**
	 * JPA reports the refusal of the stock as an optimistic locking failure. Only its
	 * cause tells that the purchase was late.
	 */
	private Turn failed(Purchase purchase, RuntimeException ex) {
		if (NestedExceptionUtils.getMostSpecificCause(ex) instanceof StaleFenceException) {
			return purchase.ended(Phase.REFUSED, "the stock has seen the later fence of another buyer");
		}
		return purchase.ended(this.pace.isStopped() ? Phase.STOPPED : Phase.FAILED, String.valueOf(ex.getMessage()));
	}

	private static String why(Reason reason) {
		return switch (reason) {
			case HELD, TICK_TAKEN -> "Other buyers had it all the time";
			case NO_QUORUM -> "Too few nodes voted";
			case SPLIT_VOTE, FENCE_NOT_SETTLED -> "The nodes did not agree on one buyer";
			case TIMED_OUT, VALIDITY_EXHAUSTED, TICK_LOST, TICKET_EXPIRED -> "The nodes answered too late";
			case INTERRUPTED, SHUTTING_DOWN -> "The sale was stopped";
		};
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
