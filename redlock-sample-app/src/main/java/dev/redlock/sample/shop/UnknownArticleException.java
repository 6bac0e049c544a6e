package dev.redlock.sample.shop;

/**
 * The shop does not have the article.
 */
public final class UnknownArticleException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	UnknownArticleException(String sku) {
		super("There is no " + sku + " in this shop. POST /stock/" + sku + "?units=50 puts some on the shelf.");
	}

}
