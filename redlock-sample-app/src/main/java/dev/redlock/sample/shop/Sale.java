package dev.redlock.sample.shop;

/**
 * One unit sold.
 *
 * @param sku the article
 * @param left how many the buyer was told are left
 */
public record Sale(String sku, int left) {

}
