package dev.redlock.docs.operations;

import dev.redlock.spring.annotation.RedLock;

/**
 * Sells one article at a time.
 */
class Shop {

	@RedLock(resource = "stock:#{#sku}", ttl = "10s", waitFor = "0")
	public String buy(String sku) {
		return "sold " + sku;
	}

}
