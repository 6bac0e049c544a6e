/**
 * Locks of the JDK over the nodes, for code that needs a
 * {@link java.util.concurrent.locks.Lock}.
 */
@NullMarked
package dev.redlock.spring.lock;

import org.jspecify.annotations.NullMarked;
