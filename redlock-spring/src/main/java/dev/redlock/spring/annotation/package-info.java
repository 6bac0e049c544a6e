/**
 * The annotation {@code @RedLock}, which locks a method.
 */
@NullMarked
package dev.redlock.spring.annotation;

import org.jspecify.annotations.NullMarked;
