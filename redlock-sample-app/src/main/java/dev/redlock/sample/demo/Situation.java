package dev.redlock.sample.demo;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

import dev.redlock.sample.demo.SaleDesk.SaleView;
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
			return selling(sale.protection(), stock.promisedTooOften());
		}
		if (sale.openedMicros() == 0) {
			return new Situation(Code.CLOSED, "No sale is running", "Begin with step 1: sell without the lock.");
		}
		return (stock.left() < 1) ? soldOut(stock)
				: new Situation(Code.CLOSED, "The sale was stopped", stock.left() + " units are left on the shelf.");
	}

	static Situation noQuorum(Electorate electorate, boolean open) {
		String hint = electorate.untilMajority()
			.map((remaining) -> "Restarted nodes may have forgotten locks. Enough nodes vote again in "
					+ (remaining.toMillis() + 999) / 1_000 + " s.")
			.orElse("Heal a node to go on.");
		return new Situation(Code.NO_QUORUM, (open ? "Nothing is sold: " : "No lock is possible: ") + electorate,
				missing(electorate.missing(), electorate.size(), electorate.majority()) + hint);
	}

	/**
	 * Too few nodes have answered, although the lock has not noticed yet that they do
	 * not.
	 */
	static Situation noAnswer(List<String> silent, int size, int majority) {
		return new Situation(Code.NO_QUORUM,
				String.format(Locale.ROOT, "Nothing is sold: %d of %d nodes answer", size - silent.size(), size),
				missing(silent, size, majority) + "Heal a node to go on.");
	}

	static Situation held(String holder, Duration remaining) {
		return new Situation(Code.HELD, "Nothing is sold: a holder stands still",
				String.format(Locale.ROOT,
						"%s has the lock and does nothing. Its lock ends in %.1f s, and then the next buyer gets it.",
						holder, remaining.toMillis() / 1_000.0));
	}

	static Situation quiet() {
		return new Situation(Code.QUIET, "Nothing is sold at the moment", "The page is asking the nodes why.");
	}

	private static String missing(List<String> names, int size, int majority) {
		return String.format(Locale.ROOT, "%d of %d nodes cannot vote (%s), and a lock needs %d votes. ", names.size(),
				size, String.join(", ", names), majority);
	}

	private static Situation selling(Protection protection, int promisedTooOften) {
		if (protection.locks() && promisedTooOften > 0) {
			return new Situation(Code.UNSAFE, "Selling, and the books are wrong",
					promisedTooOften + " units were oversold: a late buyer wrote an old number over a newer one.");
		}
		return switch (protection) {
			case LOCK_AND_FENCE -> new Situation(Code.SELLING, "Selling with the lock",
					"One buyer at a time reads the stock, decides and writes. The stock checks each fence.");
			case LOCK -> new Situation(Code.SELLING, "Selling with the lock, fences unchecked",
					"One buyer at a time, as long as no buyer stands still for longer than its lock lasts.");
			case NONE -> new Situation(Code.UNSAFE, "Without a lock, units are oversold",
					"Several buyers read the same number and write over each other. No node is asked.");
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
		 * Units may be oversold.
		 */
		UNSAFE,

		/**
		 * Too few nodes can vote.
		 */
		NO_QUORUM,

		/**
		 * A holder of the lock does nothing.
		 */
		HELD,

		/**
		 * Nothing has been sold for a while, and the reason is not known yet.
		 */
		QUIET

	}

}
