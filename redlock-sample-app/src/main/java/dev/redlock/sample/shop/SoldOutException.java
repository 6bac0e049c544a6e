package dev.redlock.sample.shop;

/**
 * The article is sold out.
 */
public final class SoldOutException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	SoldOutException(String sku) {
		super(sku + " is sold out");
	}

}
