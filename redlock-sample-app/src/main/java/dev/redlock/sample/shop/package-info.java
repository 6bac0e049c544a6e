/**
 * The shop. Read {@code FlashSale} first: it shows how to use a lock and its fence.
 */
@NullMarked
package dev.redlock.sample.shop;

import org.jspecify.annotations.NullMarked;
