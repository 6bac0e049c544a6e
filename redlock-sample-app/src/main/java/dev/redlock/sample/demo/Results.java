package dev.redlock.sample.demo;

import dev.redlock.sample.shop.Stock;
import org.jspecify.annotations.Nullable;

/**
 * The results of the last sales, for a comparison.
 *
 * @param unlocked the books of the last sale without the lock, null if there was none
 * @param locked the books of the last sale with the lock, null if there was none
 */
record Results(@Nullable Stock unlocked, @Nullable Stock locked) {

	static final Results NONE = new Results(null, null);

	Results with(Protection protection, Stock stock) {
		return protection.locks() ? new Results(this.unlocked, stock) : new Results(stock, this.locked);
	}

}
