package dev.redlock.sample.shop;

/**
 * Nothing of the article is left.
 */
public final class SoldOutException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	SoldOutException(String sku) {
		super(sku + " is sold out");
	}

}
