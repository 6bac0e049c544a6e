/**
 * Distributed locks for code that needs a {@link java.util.concurrent.locks.Lock} of the
 * JDK.
 */
@NullMarked
package dev.redlock.spring.lock;

import org.jspecify.annotations.NullMarked;
