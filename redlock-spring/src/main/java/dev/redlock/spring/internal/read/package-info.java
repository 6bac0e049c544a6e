/**
 * From an annotation to its specification, once for each method: reads and checks each
 * attribute. Knows what a call needs, and nothing of proxies, which {@code startup}
 * checks.
 */
@NullMarked
package dev.redlock.spring.internal.read;

import org.jspecify.annotations.NullMarked;
