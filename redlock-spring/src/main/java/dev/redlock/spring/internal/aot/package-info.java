/**
 * The hints for native images. Spring finds them by
 * {@code META-INF/spring/aot.factories}. Knows what the annotation of a method names.
 */
@NullMarked
package dev.redlock.spring.internal.aot;

import org.jspecify.annotations.NullMarked;
