/**
 * The texts of the annotation: resource names with expressions and placeholders, and
 * durations. Knows the method on which a text stands.
 */
@NullMarked
package dev.redlock.spring.internal.names;

import org.jspecify.annotations.NullMarked;
