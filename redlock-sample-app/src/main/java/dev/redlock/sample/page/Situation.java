package dev.redlock.sample.page;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

import dev.redlock.sample.buyers.Protection;
import dev.redlock.sample.page.SaleDesk.SaleView;
import dev.redlock.sample.shop.Stock;

/**
 * Describes to people what the sale is doing.
 *
 * @param code the kind of situation
 * @param headline a few words
 * @param text a sentence or two
 */
record Situation(Code code, String headline, String text) {

	static Situation of(SaleView sale, Stock stock) {
		if (sale.open()) {
			return selling(sale.protection(), stock.soldTwice());
		}
		if (!sale.begun()) {
			return new Situation(Code.CLOSED, "Nobody is buying", "Start a sale, with the lock or without it.");
		}
		return (stock.left() < 1) ? soldOut(stock)
				: new Situation(Code.CLOSED, "The sale was stopped", stock.left() + " units are left on the shelf.");
	}

	static Situation noQuorum(List<String> faulted, int size, int majority) {
		return new Situation(Code.NO_QUORUM, "Standing still: NO_QUORUM",
				String.format(Locale.ROOT,
						"%d of %d nodes cannot vote (%s), and a lock needs %d that do. So nothing is sold, rather than"
								+ " sold twice. Heal a node to go on.",
						faulted.size(), size, String.join(", ", faulted), majority));
	}

	static Situation held(String holder, Duration remaining) {
		return new Situation(Code.HELD, "Standing still: HELD",
				String.format(Locale.ROOT,
						"%s has the lock and stands still. The nodes forget it in %.1f s, and the next buyer goes on.",
						holder, remaining.toMillis() / 1_000.0));
	}

	private static Situation selling(Protection protection, int soldTwice) {
		if (protection.locks() && soldTwice > 0) {
			return new Situation(Code.UNSAFE, "Selling, and the books are wrong", "Of the units on the shelf, "
					+ soldTwice + " are sold already: somebody wrote an old number over a newer one.");
		}
		return switch (protection) {
			case LOCK_AND_FENCE -> new Situation(Code.SELLING, "Selling with the lock",
					"One buyer at a time reads the stock, decides and writes. The stock checks each fence.");
			case LOCK -> new Situation(Code.SELLING, "Selling with the lock, fences unchecked",
					"One buyer at a time, as long as nobody stands still for longer than the lock lives.");
			case NONE -> new Situation(Code.UNSAFE, "Selling without a lock",
					"Buyers read the same number and write over each other, so units are sold twice.");
		};
	}

	private static Situation soldOut(Stock stock) {
		return (stock.oversold() > 0)
				? new Situation(Code.UNSAFE, "Sold out, and oversold",
						stock.sold() + " customers were promised one of " + stock.units() + " units.")
				: new Situation(Code.CLOSED, "Sold out", "Exactly the " + stock.units() + " units that there were.");
	}

	/**
	 * The kinds of situations.
	 */
	enum Code {

		/**
		 * No buyer is buying.
		 */
		CLOSED,

		/**
		 * Units are sold correctly.
		 */
		SELLING,

		/**
		 * Units may be sold twice.
		 */
		UNSAFE,

		/**
		 * Too few nodes can vote.
		 */
		NO_QUORUM,

		/**
		 * A holder of the lock does nothing.
		 */
		HELD

	}

}
