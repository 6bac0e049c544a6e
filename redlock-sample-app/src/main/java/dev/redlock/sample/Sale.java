package dev.redlock.sample;

/**
 * One unit sold.
 *
 * @param sku the article
 * @param left how many the buyer was told are left
 */
record Sale(String sku, int left) {

}
