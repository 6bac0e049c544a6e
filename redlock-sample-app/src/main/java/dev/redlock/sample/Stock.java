package dev.redlock.sample;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * What the shop's books say about one article.
 *
 * @param sku the article
 * @param units how many there were when the sale began
 * @param left how many are left, as the stock table has it
 * @param sold how many were sold, as the sales ledger has it
 */
record Stock(String sku, int units, int left, int sold) {

	@JsonProperty
	int oversold() {
		return Math.max(0, this.sold - this.units);
	}

}
