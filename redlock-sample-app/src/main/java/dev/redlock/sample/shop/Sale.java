package dev.redlock.sample.shop;

/**
 * One unit sold.
 *
 * @param sku the article
 * @param left the number of units left, as the buyer was told
 */
public record Sale(String sku, int left) {

}
