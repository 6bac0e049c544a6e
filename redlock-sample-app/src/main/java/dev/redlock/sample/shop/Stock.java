package dev.redlock.sample.shop;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * The books of the shop for one article.
 *
 * @param sku the article
 * @param units the number of units when the sale began
 * @param left the number of units left, by the stock table
 * @param sold the number of units sold, by the sale table
 */
public record Stock(String sku, int units, int left, int sold) {

	/**
	 * The number of units that were sold but did not exist.
	 * @return the number of units
	 */
	@JsonProperty
	public int oversold() {
		return Math.max(0, this.sold - this.units);
	}

	/**
	 * The number of sales for which no unit was taken from the shelf, because two
	 * purchases read the same number and one overwrote the other. When nothing is left it
	 * is the same as {@link #oversold()}.
	 * @return the number of sales
	 */
	@JsonProperty
	public int promisedTooOften() {
		return Math.max(0, this.sold - (this.units - this.left));
	}

}
