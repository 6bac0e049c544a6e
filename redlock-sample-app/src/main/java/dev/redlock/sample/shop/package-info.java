/**
 * The shop, and the code to read first: {@code FlashSale} is how a lock and its fence are
 * used.
 */
@NullMarked
package dev.redlock.sample.shop;

import org.jspecify.annotations.NullMarked;
