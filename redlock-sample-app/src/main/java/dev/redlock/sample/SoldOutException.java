package dev.redlock.sample;

/**
 * Nothing of the article is left.
 */
class SoldOutException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	SoldOutException(String sku) {
		super(sku + " is sold out");
	}

}
