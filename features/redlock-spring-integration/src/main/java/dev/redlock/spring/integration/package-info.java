/**
 * Adapters to the locks of other libraries: {@link java.util.concurrent.locks.Lock Lock}
 * of the JDK, and a lock registry of Spring Integration.
 * <p>
 * {@code ThreadLock} is the lock of a thread, {@code ThreadLeases} has the leases of all
 * threads. {@code RegistryLock} adds the exceptions of Spring Integration.
 * {@code LeaderEvents} publishes its events for the leaders of redlock-leader.
 */
@NullMarked
package dev.redlock.spring.integration;

import org.jspecify.annotations.NullMarked;
