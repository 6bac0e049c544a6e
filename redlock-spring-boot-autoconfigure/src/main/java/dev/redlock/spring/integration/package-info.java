/**
 * The lock as other libraries want to see it: as a {@link java.util.concurrent.locks.Lock
 * Lock} of the JDK, a lock registry of Spring Integration, a lock provider of ShedLock.
 */
@NullMarked
package dev.redlock.spring.integration;

import org.jspecify.annotations.NullMarked;
