/**
 * From an annotation to its specification, once for each method. Knows what a call needs,
 * and nothing of proxies.
 */
@NullMarked
package dev.redlock.spring.internal.read;

import org.jspecify.annotations.NullMarked;
