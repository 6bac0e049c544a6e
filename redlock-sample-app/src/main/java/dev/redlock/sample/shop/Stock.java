package dev.redlock.sample.shop;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * What the shop's books say about one article.
 *
 * @param sku the article
 * @param units how many there were when the sale began
 * @param left how many are left, as the stock table has it
 * @param sold how many were sold, as the sales ledger has it
 */
public record Stock(String sku, int units, int left, int sold) {

	/**
	 * How many were sold that never were there.
	 * @return the number of units
	 */
	@JsonProperty
	public int oversold() {
		return Math.max(0, this.sold - this.units);
	}

	/**
	 * How many were sold without being taken off the shelf, since two purchases read the
	 * same number and one wrote over the other. Told while the sale goes on; when nothing
	 * is left it is what was oversold.
	 * @return the number of units
	 */
	@JsonProperty
	public int soldTwice() {
		return Math.max(0, this.sold - (this.units - this.left));
	}

}
