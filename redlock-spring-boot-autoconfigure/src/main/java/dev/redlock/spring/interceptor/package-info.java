/**
 * From the annotation to the lock: read once, checked at start, applied by a proxy.
 */
@NullMarked
package dev.redlock.spring.interceptor;

import org.jspecify.annotations.NullMarked;
